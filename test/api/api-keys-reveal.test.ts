import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { statement } from '../../platform/db/statement.ts';
import { KeyManager } from './api-keys-support.ts';
import type { MadeKey } from './api-keys-support.ts';
import { expectRefusal, PASSWORD, startApi } from './support.ts';
import type { ApiFixture, ApiTenant } from './support.ts';

let api: ApiFixture;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.close());

/** A client of its own, so that wrong passwords of one test don't count in another. */
async function fresh(slug: string): Promise<{ tenant: ApiTenant; keys: KeyManager; made: MadeKey }> {
  const tenant = await api.tenant(slug, { tier: 'business', production_api_enabled: true });
  const keys = new KeyManager(api, tenant);
  return { tenant, keys, made: await keys.make({ environment: 'production' }) };
}
const audited = async (keys: KeyManager, id: number, query = '') => (await keys.audit(id, query)).body;

describe('POST /api/v1/integrations/api-keys/{id}/reveal', () => {
  it('answers the full key for the right password, and nothing beside it', async () => {
    const { keys, made } = await fresh('right');
    const answer = await keys.reveal(made.id, PASSWORD);
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({ success: true, api_key: made.key, meta: expect.any(Object) });
    expect(answer.headers['cache-control']).toContain('no-store');
  });

  it('answers 403 for a wrong password, without the key', async () => {
    const { keys, made } = await fresh('wrong');
    const answer = await keys.reveal(made.id, 'not it');
    expectRefusal(answer, 403, 'FORBIDDEN');
    expect(answer.text).not.toContain(made.key);
  });

  it.each([
    [undefined, 'BAD_REQUEST'],
    ['', 'VALIDATION_ERROR'],
    [7, 'BAD_REQUEST'],
  ])('password %j is a 400 %s', async (password, code) => {
    const made = await new KeyManager(api, api.acme).make();
    expectRefusal(await new KeyManager(api, api.acme).reveal(made.id, password), 400, code);
  });

  it('is for the user who owns the key alone: an owner or admin gets 403 for another’s, which is noted', async () => {
    const { tenant, keys, made } = await fresh('admin');
    const ofMember = await keys.as('member').make({ environment: 'production' });
    const tries = [
      await keys.as('admin').reveal(made.id, PASSWORD),
      await keys.reveal(ofMember.id, PASSWORD),
      await keys.as('admin').reveal(ofMember.id, 'not it'),
    ];
    for (const answer of tries) {
      expectRefusal(answer, 403, 'FORBIDDEN');
      expect(answer.body.error.message).toContain('Only the user who owns this key can reveal it');
      expect(answer.text).not.toMatch(/svc_sk_[\w-]{20}/);
    }
    const byAdmin = { type: 'user', id: String(tenant.users.admin.id), name: 'admin' };
    expect((await audited(keys, made.id)).data[0]).toMatchObject({
      action: 'api_key.reveal',
      outcome: 'not_its_user',
      actor: byAdmin,
      address: '198.51.100.9',
    });
    expect((await audited(keys, ofMember.id)).data).toHaveLength(3);
    expect((await keys.as('member').reveal(ofMember.id, PASSWORD)).body.api_key).toBe(ofMember.key);
  });

  it('refuses all passwords after 5 wrong ones, on every key, until 15 minutes have passed', async () => {
    const { tenant, keys, made } = await fresh('guesser');
    const other = await keys.make();
    for (let n = 0; n < 5; n += 1) expectRefusal(await keys.reveal(made.id, 'guess'), 403, 'FORBIDDEN');
    const refused = await keys.reveal(made.id, PASSWORD);
    expectRefusal(refused, 429, 'RATE_LIMITED');
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(800);
    expectRefusal(await keys.reveal(other.id, PASSWORD), 429, 'RATE_LIMITED');
    const ofAdmin = await keys.as('admin').make();
    expect((await keys.as('admin').reveal(ofAdmin.id, PASSWORD)).status).toBe(200);
    const age = statement(`update auth_failures set at = at - interval '15 minutes' where subject = $1`);
    await api.services.system.query(age, [`reveal:${String(tenant.users.owner.id)}`]);
    expect((await keys.reveal(made.id, PASSWORD)).status).toBe(200);
  });

  it('lets through at most 5 wrong passwords that come at the same moment', async () => {
    const { keys, made } = await fresh('swarm');
    const answers = await Promise.all(Array.from({ length: 12 }, () => keys.reveal(made.id, 'guess')));
    expect(answers.filter((answer) => answer.status === 403)).toHaveLength(5);
    expect(answers.filter((answer) => answer.status === 429)).toHaveLength(7);
  });

  it('forgets the wrong passwords when the right one comes', async () => {
    const { keys, made } = await fresh('typist');
    for (let n = 0; n < 4; n += 1) await keys.reveal(made.id, 'typo');
    expect((await keys.reveal(made.id, PASSWORD)).status).toBe(200);
    expectRefusal(await keys.reveal(made.id, 'typo'), 403, 'FORBIDDEN');
    expect((await keys.reveal(made.id, PASSWORD)).status).toBe(200);
  });

  it('keeps nothing for an Idempotency-Key: a repetition needs the password again', async () => {
    const { tenant, made } = await fresh('repeater');
    const send = async (password: string) =>
      api
        .http()
        .post(`/api/v1/integrations/api-keys/${String(made.id)}/reveal`)
        .set({ Authorization: `Bearer ${await tenant.token()}`, 'Idempotency-Key': 'again' })
        .send({ password });
    expect((await send(PASSWORD)).status).toBe(200);
    expectRefusal(await send('other'), 403, 'FORBIDDEN');
    const kept = await api.services.system.query(statement('select 1 from idempotency_records where client_id = $1'), [
      tenant.clientId,
    ]);
    expect(kept).toEqual([]);
  });
});

describe('GET /api/v1/integrations/api-keys/{id}/audit', () => {
  it('lists every reveal, tried or done, with who, when, from where and how it ended', async () => {
    const { tenant, keys, made } = await fresh('audited');
    await keys.reveal(made.id, 'wrong', '198.51.100.1');
    await keys.reveal(made.id, PASSWORD, '2001:db8::7');
    const member = { type: 'user', id: String(tenant.users.owner.id), name: 'owner' };
    const { data, meta } = await audited(keys, made.id);
    expect(meta.pagination).toEqual({ total: 3, limit: 50, offset: 0 });
    expect(data).toMatchObject([
      { action: 'api_key.reveal', outcome: 'revealed', actor: member, address: '2001:db8::7', details: {} },
      { action: 'api_key.reveal', outcome: 'wrong_password', actor: member, address: '198.51.100.1', details: {} },
      { action: 'api_key.created', outcome: 'done', actor: member },
    ]);
    for (const entry of data) expect(Math.abs(Date.parse(entry.at) - Date.now())).toBeLessThan(60_000);
  });

  it('lists a reveal that was refused with 429', async () => {
    const { keys, made } = await fresh('limited');
    for (let n = 0; n < 6; n += 1) await keys.reveal(made.id, 'guess');
    const { data } = await audited(keys, made.id);
    expect(data[0]).toMatchObject({ action: 'api_key.reveal', outcome: 'too_many_tries' });
  });

  it('lists changes with what they were from and to, and rotations', async () => {
    const { keys, made } = await fresh('changed');
    await keys.patch(made.id, { description: 'new', permissions: { 'contacts:read': true } });
    await keys.rotate(made.id, { grace_hours: 2 });
    const { data } = await audited(keys, made.id);
    expect(data).toMatchObject([
      { action: 'api_key.rotated', details: { grace_hours: 2 } },
      {
        action: 'api_key.updated',
        details: {
          changes: {
            description: { from: null, to: 'new' },
            permissions: { from: ['work_items:read'], to: ['contacts:read'] },
          },
        },
      },
      { action: 'api_key.created' },
    ]);
  });

  it('pages', async () => {
    const { keys, made } = await fresh('paged');
    for (const description of ['a', 'b', 'c']) await keys.patch(made.id, { description });
    const { data, meta } = await audited(keys, made.id, '?limit=2&offset=1');
    expect(
      data.map(
        (entry: { details: { changes: { description: { to: string } } } }) => entry.details.changes.description.to,
      ),
    ).toEqual(['b', 'a']);
    expect(meta.pagination).toEqual({ total: 4, limit: 2, offset: 1 });
    expect((await keys.audit(made.id, '?limit=201')).status).toBe(400);
  });
});

describe('what is logged', () => {
  it('holds no key and no password after create, rotate and reveal', async () => {
    const { keys, made } = await fresh('quiet');
    const rotated = (await keys.rotate(made.id)).body.api_key as string;
    await keys.reveal(made.id, PASSWORD);
    await keys.reveal(made.id, 'a wrong password');
    await keys.read(made.key);
    await keys.read(rotated);
    const log = api.logLines.join('\n');
    expect(log).toContain('/reveal');
    for (const secret of [made.key, rotated, PASSWORD, 'a wrong password']) expect(log).not.toContain(secret);
  });
});
