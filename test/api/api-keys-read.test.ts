import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Role } from '../../domain/contracts/caller.ts';
import { KeyManager } from './api-keys-support.ts';
import { expectRefusal, ROLES, startApi } from './support.ts';
import type { ApiFixture, ApiTenant } from './support.ts';

let api: ApiFixture;
let keys: KeyManager;
beforeAll(async () => {
  api = await startApi();
  keys = new KeyManager(api, api.acme);
});
afterAll(() => api.close());

describe('GET /api/v1/integrations/api-keys', () => {
  it('lists the keys newest first, a testing key whole and a production key masked', async () => {
    const tenant = await api.tenant('lister', { tier: 'business', production_api_enabled: true });
    const lister = new KeyManager(api, tenant);
    const testing = await lister.make();
    const production = await lister.make({ environment: 'production' });
    const { status, body } = await lister.list();
    expect(status).toBe(200);
    expect(body.data.map((key: { id: number }) => key.id)).toEqual([production.id, testing.id]);
    expect(body.data[0]).toMatchObject({ environment: 'production', api_key_full: null });
    expect(body.data[0].api_key_masked).toBe(`${production.key.slice(0, 8)}...${production.key.slice(-4)}`);
    expect(body.data[1]).toMatchObject({ environment: 'testing', api_key_full: testing.key });
    expect(JSON.stringify(body)).not.toContain(production.key);
  });

  it.each([
    ['none', [], ['invoices:read', 'credit_notes:read']],
    ['basic', ['quotes:read', 'invoices:write'], ['credit_notes:read', 'bills:read']],
    ['standard', ['invoices:read', 'credit_notes:write', 'delivery_notes:read'], ['bills:read']],
    ['full', ['bills:read', 'purchase_orders:write', 'credit_notes:read'], []],
  ])('offers the scopes of the finance tier %s', async (finance_tier, offered, withheld) => {
    const tenant = await api.tenant(`scopes-${finance_tier}`, { finance_tier });
    const { available_scopes } = (await new KeyManager(api, tenant).list()).body;
    expect(Object.keys(available_scopes)).toEqual(expect.arrayContaining(['*', 'work_items:read', ...offered]));
    for (const scope of withheld) expect(available_scopes).not.toHaveProperty([scope]);
    expect(Object.values(available_scopes).every((words) => typeof words === 'string' && words !== '')).toBe(true);
  });
});

describe('GET /api/v1/integrations/api-keys/{id}', () => {
  it('answers the record with its use', async () => {
    const { id } = await keys.make({ description: 'for the ERP' });
    const { status, body } = await keys.get(id);
    expect(status).toBe(200);
    expect(body.data).toMatchObject({
      id,
      description: 'for the ERP',
      usage_stats: { total_requests: 0, requests_24h: 0, requests_7d: 0 },
    });
  });

  it('never shows a production key whole', async () => {
    const { id, key } = await keys.make({ environment: 'production' });
    const { text, body } = await keys.get(id);
    expect(body.data.api_key_full).toBeNull();
    expect(text).not.toContain(key);
  });

  it.each(['0', '-1', 'x', '2147483648'])('id %s is a 400', async (id) => {
    const path = `/api/v1/integrations/api-keys/${id}`;
    const answer = await api
      .http()
      .get(path)
      .set('Authorization', `Bearer ${await api.acme.token()}`);
    expect(answer.status).toBe(400);
  });
});

describe('who sees which key', () => {
  let tenant: ApiTenant;
  const made = {} as Record<Role, number>;
  beforeAll(async () => {
    tenant = await api.tenant('seen', { tier: 'business' });
    for (const role of ROLES) made[role] = (await new KeyManager(api, tenant, role).make()).id;
  });

  it.each<[Role, boolean, readonly Role[]]>([
    ['owner', true, ROLES],
    ['admin', true, ROLES],
    ['member', false, ['member']],
    ['auditor', false, ['auditor']],
  ])('%s: can_view_all_users %s', async (role, all, owners) => {
    const as = new KeyManager(api, tenant, role);
    const { body } = await as.list();
    expect(body.can_view_all_users).toBe(all);
    const expected = owners.map((owner) => made[owner]).sort();
    expect(body.data.map((key: { id: number }) => key.id).sort()).toEqual(expected);
    for (const owner of ROLES) {
      const sees = owners.includes(owner);
      expect((await as.get(made[owner])).status).toBe(sees ? 200 : 404);
      expect((await as.audit(made[owner])).status).toBe(sees ? 200 : 404);
    }
  });

  it('shows a testing key whole to the user who owns it alone, in the list, on its own and after a change', async () => {
    const as = (role: Role) => new KeyManager(api, tenant, role);
    const { id, key } = await as('member').make();
    expect((await as('member').get(id)).body.data.api_key_full).toBe(key);
    for (const role of ['owner', 'admin'] as const) {
      const answers = [await as(role).list(), await as(role).get(id), await as(role).patch(id, { description: role })];
      for (const answer of answers) expect(answer.text).not.toContain(key);
      expect(answers[1]?.body.data).toMatchObject({ id, api_key_full: null, api_key_masked: expect.any(String) });
    }
    expect((await as('owner').delete(id)).body.data.api_key_full).toBeNull();
    expect((await as('member').list()).text).toContain(key);
  });

  it('answers 404 to a member that changes, rotates, reveals or deletes another user’s key', async () => {
    const member = new KeyManager(api, tenant, 'member');
    expectRefusal(await member.patch(made.owner, { is_active: false }), 404, 'NOT_FOUND');
    expectRefusal(await member.rotate(made.owner), 404, 'NOT_FOUND');
    expectRefusal(await member.reveal(made.owner, 'x'), 404, 'NOT_FOUND');
    expectRefusal(await member.delete(made.owner), 404, 'NOT_FOUND');
    expect((await new KeyManager(api, tenant).get(made.owner)).body.data.is_active).toBe(true);
  });

  it('answers 404, not 403, for another client’s key, to its owner too', async () => {
    const stranger = new KeyManager(api, api.rival);
    const answers = [
      await stranger.get(made.owner),
      await stranger.patch(made.owner, { description: 'mine' }),
      await stranger.rotate(made.owner),
      await stranger.reveal(made.owner, 'x'),
      await stranger.audit(made.owner),
      await stranger.delete(made.owner),
    ];
    for (const answer of answers) expectRefusal(answer, 404, 'NOT_FOUND');
    expect((await stranger.list()).body.data).toEqual([]);
  });
});

describe('GET /api/v1/integrations/rate-limit-tier', () => {
  it.each([
    ['free', 100, 20, 3],
    ['business', 300, 60, 20],
    ['professional', 1000, 200, 100],
    ['enterprise', 5000, 1000, 1000],
  ])('of %s', async (slug, requests_per_minute, burst_limit, max_api_keys) => {
    const tenant = await api.tenant(`tier-${slug}`, { tier: slug });
    const answer = await api
      .http()
      .get('/api/v1/integrations/rate-limit-tier')
      .set('Authorization', `Bearer ${await tenant.token('auditor')}`);
    expect(answer.status).toBe(200);
    expect(answer.body.data).toEqual({
      slug,
      name: expect.any(String),
      requests_per_minute,
      burst_limit,
      max_api_keys,
    });
  });
});
