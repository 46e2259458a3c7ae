import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Role } from '../../domain/contracts/caller.ts';
import { statement } from '../../platform/db/statement.ts';
import { expectRefusal, startApi } from './support.ts';
import type { ApiFixture, ApiTenant } from './support.ts';

let api: ApiFixture;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.close());

let named = 0;
/** A create as `role` of `tenant`; key_name is given unless the body names one. */
async function create(body: Record<string, unknown>, tenant: ApiTenant = api.acme, role: Role = 'owner') {
  named += 1;
  const key_name = `name ${String(named)}`;
  return api
    .http()
    .post('/api/v1/integrations/api-keys')
    .set('Authorization', `Bearer ${await tenant.token(role)}`)
    .send({ key_name, ...body });
}
const fieldsOf = (answer: { body: { error: { details: { field: string }[] } } }) =>
  answer.body.error.details.map((detail) => detail.field);

describe('POST /api/v1/integrations/api-keys', () => {
  it('answers the record, and the full key beside it once', async () => {
    const answer = await create({ key_name: 'ERP sync', description: 'ERP', permissions: { 'work_items:read': true } });
    expect(answer.status).toBe(201);
    const { api_key, data } = answer.body as { api_key: string; data: Record<string, unknown> };
    expect(api_key).toMatch(/^svc_sk_[\w-]{49}$/);
    expect(data).toMatchObject({
      key_name: 'ERP sync',
      description: 'ERP',
      key_type: 'integration',
      environment: 'production',
      is_active: true,
      permissions: { scopes: ['work_items:read'] },
      allowed_ips: [],
      rate_limit_per_minute: null,
      last_used_at: null,
      expires_at: null,
      user_id: api.acme.users.owner.id,
      api_key_masked: `${api_key.slice(0, 8)}...${api_key.slice(-4)}`,
      api_key_full: null,
    });
    expect(Object.keys(data)).not.toEqual(expect.arrayContaining(['usage_stats']));
    expect(JSON.stringify(data)).not.toContain(api_key);
    expect(api.logLines.join('\n')).not.toContain(api_key);
    expect((await api.act(api_key, { action: 'list-work-items' })).status).toBe(200);
  });

  it('carries the full key of a testing key in the record too', async () => {
    const { api_key, data } = (await create({ environment: 'testing' })).body;
    expect(data).toMatchObject({ environment: 'testing', api_key_full: api_key });
  });

  it('stores neither key in the clear, and notes who made it', async () => {
    const { api_key, data } = (await create({ environment: 'testing' })).body;
    const find = statement('select to_jsonb(k)::text as text from api_keys k where id = $1');
    const [row] = await api.services.system.query<{ text: string }>(find, [data.id]);
    expect(row!.text).not.toContain(api_key);
    expect(row!.text).not.toContain(Buffer.from(api_key).toString('hex'));
    const audit = statement(`select actor_id, action, details from audit_entries where subject_id = $1`);
    const [entry] = await api.services.system.query(audit, [String(data.id)]);
    expect(entry).toMatchObject({ actor_id: String(api.acme.users.owner.id), action: 'api_key.created' });
    expect(JSON.stringify(entry)).not.toContain(api_key);
  });

  it('needs a bearer token: a key cannot make keys', async () => {
    const key = await api.acme.key();
    const request = () => api.http().post('/api/v1/integrations/api-keys').send({ key_name: 'x' });
    expectRefusal(await request(), 401, 'UNAUTHORIZED');
    expectRefusal(await request().set('X-API-Key', key), 401, 'UNAUTHORIZED');
    expectRefusal(await request().set('Authorization', `Bearer ${key}`), 401, 'UNAUTHORIZED');
  });
});

describe('create rules', () => {
  it('1: a duplicate key_name is a 400 within the client and none across clients', async () => {
    await create({ key_name: 'twice' });
    const answer = await create({ key_name: ' twice ' });
    expectRefusal(answer, 400, 'BAD_REQUEST');
    expect(fieldsOf(answer)).toEqual(['key_name']);
    expect((await create({ key_name: 'twice', environment: 'testing' }, api.rival)).status).toBe(201);
  });

  it('2: an unknown scope is a 400 that names it', async () => {
    const answer = await create({ permissions: { 'work_items:read': true, 'work_items:fly': true } });
    expectRefusal(answer, 400, 'VALIDATION_ERROR');
    expect(fieldsOf(answer)).toEqual(['permissions.work_items:fly']);
  });

  it.each([0, -1, 3651, 1.5])('3: expires_in_days %d is a 400', async (days) => {
    const answer = await create({ expires_in_days: days });
    expect(answer.status).toBe(400);
    expect(fieldsOf(answer)).toEqual(['expires_in_days']);
  });

  it('3: expires_in_days counts from now', async () => {
    const { data } = (await create({ expires_in_days: 30 })).body;
    expect(Math.abs(Date.parse(data.expires_at) - Date.now() - 30 * 86_400_000)).toBeLessThan(5_000);
  });

  it('4: a production key needs production access; a testing key does not', async () => {
    const tenant = await api.tenant('no-production', { tier: 'business' });
    expectRefusal(await create({}, tenant), 403, 'FORBIDDEN');
    expectRefusal(await create({ environment: 'production' }, tenant), 403, 'FORBIDDEN');
    expect((await create({ environment: 'testing' }, tenant)).status).toBe(201);
    expectRefusal(await create({ environment: 'staging' }), 400, 'VALIDATION_ERROR');
  });

  it('5: rate_limit_per_minute goes up to the ceiling of the tier', async () => {
    expect((await create({ rate_limit_per_minute: 5000 })).body.data.rate_limit_per_minute).toBe(5000);
    const answer = await create({ rate_limit_per_minute: 5001 });
    expectRefusal(answer, 422, 'UNPROCESSABLE_ENTITY');
    expect(fieldsOf(answer)).toEqual(['rate_limit_per_minute']);
    expectRefusal(await create({ rate_limit_per_minute: 0 }), 400, 'VALIDATION_ERROR');
    expectRefusal(await create({ rate_limit_per_minute: '10' }), 400, 'BAD_REQUEST');
  });

  it.each([
    ['none', 'invoices:read', 403],
    ['basic', 'invoices:read', 201],
    ['basic', 'credit_notes:read', 403],
    ['standard', 'credit_notes:read', 201],
    ['standard', 'bills:write', 403],
    ['full', 'bills:write', 201],
  ])('6: finance tier %s and scope %s: %d', async (finance_tier, scope, status) => {
    const tenant = await api.tenant(`f-${finance_tier}-${scope}`, { finance_tier });
    const answer = await create({ environment: 'testing', permissions: { [scope]: true } }, tenant);
    expect(answer.status).toBe(status);
    expect(answer.body.error?.code).toBe(status === 403 ? 'TIER_RESTRICTED' : undefined);
  });

  it.each(['300.0.0.1', '10.0.0.0/33', '2001:db8::/129', 'example.com', '10.0.0.0/8/8', ''])(
    'an allowlist entry %j is a 400 that names its place',
    async (entry) => {
      const answer = await create({ allowed_ips: ['10.0.0.0/8', entry] });
      expectRefusal(answer, 400, 'VALIDATION_ERROR');
      expect(fieldsOf(answer)).toEqual(['allowed_ips[1]']);
    },
  );
});

describe('what a role may grant', () => {
  it.each<[Role, string, number]>([
    ['owner', '*', 201],
    ['admin', '*', 201],
    ['member', '*', 403],
    ['member', 'work_items:write', 201],
    ['member', 'invoices:read', 201],
    ['member', 'invoices:write', 403],
    ['member', 'webhooks:write', 403],
    ['member', 'vision:models', 403],
    ['auditor', 'work_items:read', 201],
    ['auditor', 'work_items:write', 403],
    ['auditor', 'vision:extract', 403],
  ])('%s and %s: %d', async (role, scope, status) => {
    const answer = await create({ permissions: { [scope]: true } }, api.acme, role);
    expect(answer.status).toBe(status);
    expect(answer.body.error?.code).toBe(status === 403 ? 'FORBIDDEN' : undefined);
  });
});

describe('the quota of the tier', () => {
  it('counts active keys only', async () => {
    const tenant = await api.tenant('quota');
    const key = () => create({ environment: 'testing' }, tenant);
    for (let n = 0; n < 3; n += 1) expect((await key()).status).toBe(201);
    expectRefusal(await key(), 422, 'UNPROCESSABLE_ENTITY');
    await api.services.system.query(
      statement('update api_keys set is_active = false where id = (select min(id) from api_keys where client_id = $1)'),
      [tenant.clientId],
    );
    expect((await key()).status).toBe(201);
    expectRefusal(await key(), 422, 'UNPROCESSABLE_ENTITY');
  });

  it('holds for creates at the same time', async () => {
    const tenant = await api.tenant('rush');
    const answers = await Promise.all(Array.from({ length: 8 }, () => create({ environment: 'testing' }, tenant)));
    expect(answers.filter((answer) => answer.status === 201)).toHaveLength(3);
    expect(answers.filter((answer) => answer.status === 422)).toHaveLength(5);
  });
});
