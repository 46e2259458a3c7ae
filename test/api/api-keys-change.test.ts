import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { statement } from '../../platform/db/statement.ts';
import { fieldsOf, KeyManager } from './api-keys-support.ts';
import { expectRefusal, startApi } from './support.ts';
import type { ApiFixture } from './support.ts';

let api: ApiFixture;
let keys: KeyManager;
beforeAll(async () => {
  api = await startApi();
  keys = new KeyManager(api, api.acme);
});
afterAll(() => api.close());

const DAY_MS = 86_400_000;
const tomorrow = () => new Date(api.clock.now() + DAY_MS).toISOString();

describe('PATCH /api/v1/integrations/api-keys/{id}', () => {
  it.each<[string, unknown]>([
    ['key_name', 'renamed'],
    ['description', 'new'],
    ['description', null],
    ['display_name', 'ERP'],
    ['display_name', null],
    ['avatar_url', 'https://example.com/a.png'],
    ['avatar_url', null],
    ['is_active', false],
    ['allowed_ips', ['10.0.0.0/8', '2001:db8::1']],
    ['allowed_ips', []],
    ['rate_limit_per_minute', 5000],
    ['rate_limit_per_minute', null],
    ['expires_at', null],
  ])('sets %s to %j and leaves the rest', async (field, value) => {
    const { id } = await keys.make({ description: 'd', rate_limit_per_minute: 7, expires_in_days: 3 });
    const before = (await keys.get(id)).body.data;
    const answer = await keys.patch(id, { [field]: value });
    expect(answer.status).toBe(200);
    const { usage_stats: _, ...unchanged } = before;
    expect(answer.body.data).toEqual({ ...unchanged, [field]: value, updated_at: expect.any(String) });
    expect(Date.parse(answer.body.data.updated_at)).toBeGreaterThanOrEqual(Date.parse(before.updated_at));
    expect((await keys.get(id)).body.data).toMatchObject({ [field]: value });
  });

  it('sets permissions, which bite at once', async () => {
    const { id, key } = await keys.make();
    expect(await keys.statusWith(key)).toBe(200);
    const answer = await keys.patch(id, { permissions: { 'contacts:read': true, 'bills:write': true } });
    expect(answer.body.data.permissions).toEqual({ scopes: ['contacts:read', 'bills:write'] });
    expectRefusal(await keys.read(key), 403, 'SCOPE_REQUIRED');
  });

  it('sets expires_at to a moment ahead, in any time zone', async () => {
    const { id } = await keys.make();
    const at = tomorrow().replace('Z', '+02:00');
    const answer = await keys.patch(id, { expires_at: at });
    expect(answer.body.data.expires_at).toBe(new Date(at).toISOString());
  });

  it('refuses an expires_at that has passed, but not the one the key has', async () => {
    const { id } = await keys.make({ expires_in_days: 1 });
    const { expires_at } = (await keys.get(id)).body.data;
    const answer = await keys.patch(id, { expires_at: new Date(api.clock.now() - 1).toISOString() });
    expectRefusal(answer, 400, 'VALIDATION_ERROR');
    expect(fieldsOf(answer)).toEqual(['expires_at']);
    expect((await keys.patch(id, { expires_at, description: 'same expiry' })).status).toBe(200);
  });

  it.each<[Record<string, unknown>, number, string, string]>([
    [{}, 400, 'BAD_REQUEST', 'body'],
    [{ key_name: '' }, 400, 'VALIDATION_ERROR', 'key_name'],
    [{ key_name: null }, 400, 'BAD_REQUEST', 'key_name'],
    [{ display_name: 'x'.repeat(101) }, 400, 'VALIDATION_ERROR', 'display_name'],
    [{ avatar_url: 'javascript:alert(1)' }, 400, 'VALIDATION_ERROR', 'avatar_url'],
    [{ avatar_url: 'no url' }, 400, 'VALIDATION_ERROR', 'avatar_url'],
    [{ is_active: 'yes' }, 400, 'BAD_REQUEST', 'is_active'],
    [{ is_active: null }, 400, 'BAD_REQUEST', 'is_active'],
    [{ permissions: { 'work_items:fly': true } }, 400, 'VALIDATION_ERROR', 'permissions.work_items:fly'],
    [{ permissions: ['work_items:read'] }, 400, 'BAD_REQUEST', 'permissions'],
    [{ allowed_ips: ['10.0.0.1', 'nowhere'] }, 400, 'VALIDATION_ERROR', 'allowed_ips[1]'],
    [{ allowed_ips: null }, 400, 'BAD_REQUEST', 'allowed_ips'],
    [{ rate_limit_per_minute: 0 }, 400, 'VALIDATION_ERROR', 'rate_limit_per_minute'],
    [{ rate_limit_per_minute: 5001 }, 422, 'UNPROCESSABLE_ENTITY', 'rate_limit_per_minute'],
    [{ expires_at: 'tomorrow' }, 400, 'VALIDATION_ERROR', 'expires_at'],
    [{ environment: 'production' }, 400, 'VALIDATION_ERROR', 'environment'],
  ])('refuses %j with %d %s naming %s', async (body, status, code, field) => {
    const { id } = await keys.make();
    const before = (await keys.get(id)).body.data;
    const answer = await keys.patch(id, body);
    expectRefusal(answer, status, code);
    expect(fieldsOf(answer)).toEqual([field]);
    expect((await keys.get(id)).body.data).toEqual(before);
  });

  it('refuses the key_name of another key, and takes its own', async () => {
    await keys.make({ key_name: 'taken' });
    const { id } = await keys.make({ key_name: 'mine' });
    const answer = await keys.patch(id, { key_name: 'taken' });
    expectRefusal(answer, 400, 'BAD_REQUEST');
    expect(fieldsOf(answer)).toEqual(['key_name']);
    expect((await keys.patch(id, { key_name: 'mine' })).status).toBe(200);
  });

  it('refuses a finance scope beyond the tier', async () => {
    const tenant = await api.tenant('patch-tier', { finance_tier: 'basic' });
    const manager = new KeyManager(api, tenant);
    const { id } = await manager.make();
    expectRefusal(await manager.patch(id, { permissions: { 'bills:read': true } }), 403, 'TIER_RESTRICTED');
    expect((await manager.patch(id, { permissions: { 'invoices:read': true } })).status).toBe(200);
  });

  it('raises no key beyond the role of who changes it, nor beyond that of its owner', async () => {
    const member = keys.as('member');
    const { id } = await member.make();
    expectRefusal(await member.patch(id, { permissions: { '*': true } }), 403, 'FORBIDDEN');
    expectRefusal(await member.patch(id, { permissions: { 'webhooks:write': true } }), 403, 'FORBIDDEN');
    expectRefusal(await keys.patch(id, { permissions: { '*': true } }), 403, 'FORBIDDEN');
    expect((await member.patch(id, { permissions: { 'work_items:write': true } })).status).toBe(200);
  });

  it('lets nobody but its user add scopes to a key: owners and admins only take some away', async () => {
    const member = keys.as('member');
    const permissions = { 'work_items:read': true, 'comments:read': true };
    const { id, key } = await member.make({ permissions });
    for (const role of ['owner', 'admin'] as const) {
      for (const more of [{ ...permissions, 'threads:read': true }, { 'threads:read': true }]) {
        const refused = await keys.as(role).patch(id, { permissions: more, description: 'wider' });
        expectRefusal(refused, 403, 'FORBIDDEN');
        expect(refused.body.error.message).toContain('Only the user who owns this key can add the scope threads:read');
      }
      expect((await keys.as(role).patch(id, { permissions, key_name: `renamed by ${role}` })).status).toBe(200);
    }
    const narrowed = await keys.as('admin').patch(id, { permissions: { 'work_items:read': true } });
    expect(narrowed.body.data.permissions).toEqual({ scopes: ['work_items:read'] });
    expectRefusal(await keys.patch(id, { permissions }), 403, 'FORBIDDEN');
    expect((await keys.patch(id, { is_active: false })).status).toBe(200);
    expect((await keys.as('admin').patch(id, { is_active: true })).status).toBe(200);
    expect(await keys.statusWith(key)).toBe(200);
    expect((await member.patch(id, { permissions })).status).toBe(200);
  });

  it('lets an owner or admin make a key that does everything do less', async () => {
    const { id } = await keys.make({ permissions: { '*': true } });
    const narrowed = await keys.as('admin').patch(id, { permissions: { 'contacts:read': true } });
    expect(narrowed.body.data.permissions).toEqual({ scopes: ['contacts:read'] });
    expectRefusal(await keys.as('admin').patch(id, { permissions: { '*': true } }), 403, 'FORBIDDEN');
  });
});

describe('is_active and max_api_keys', () => {
  it('counts a key that is activated again, also after DELETE', async () => {
    const manager = new KeyManager(api, await api.tenant('again'));
    const first = await manager.make();
    await manager.make();
    await manager.make();
    await manager.delete(first.id);
    const fourth = await manager.make();
    expectRefusal(await manager.patch(first.id, { is_active: true }), 422, 'UNPROCESSABLE_ENTITY');
    await manager.patch(fourth.id, { is_active: false });
    expect((await manager.patch(first.id, { is_active: true })).body.data.is_active).toBe(true);
    expect(await manager.statusWith(first.key)).toBe(200);
  });

  it('counts a key whose expiry is moved ahead again', async () => {
    const manager = new KeyManager(api, await api.tenant('prolonged'));
    const { id } = await manager.make({ expires_in_days: 1 });
    api.clock.advance(86_400);
    for (let n = 0; n < 3; n += 1) await manager.make();
    expectRefusal(await manager.patch(id, { expires_at: tomorrow() }), 422, 'UNPROCESSABLE_ENTITY');
    expectRefusal(await manager.patch(id, { expires_at: null }), 422, 'UNPROCESSABLE_ENTITY');
  });

  it('holds for activations at the same time', async () => {
    const manager = new KeyManager(api, await api.tenant('race'));
    const made = [await manager.make(), await manager.make(), await manager.make()];
    for (const { id } of made) await manager.patch(id, { is_active: false });
    await manager.make();
    await manager.make();
    const answers = await Promise.all(made.map(({ id }) => manager.patch(id, { is_active: true })));
    expect(answers.map((answer) => answer.status).sort()).toEqual([200, 422, 422]);
  });

  it('needs production access to activate a production key again', async () => {
    const tenant = await api.tenant('lost-production', { production_api_enabled: true });
    const manager = new KeyManager(api, tenant);
    const { id } = await manager.make({ environment: 'production' });
    await manager.patch(id, { is_active: false });
    const withdraw = statement('update clients set production_api_enabled = false where id = $1');
    await api.services.system.query(withdraw, [tenant.clientId]);
    await new Promise((resolve) => setTimeout(resolve, 1_050));
    expectRefusal(await manager.patch(id, { is_active: true }), 403, 'FORBIDDEN');
  });
});

describe('DELETE /api/v1/integrations/api-keys/{id}', () => {
  it('ends the key at once, keeps the record and its name, and succeeds again', async () => {
    const { id, key } = await keys.make({ key_name: 'to delete' });
    expect(await keys.statusWith(key)).toBe(200);
    const answer = await keys.delete(id);
    expect(answer.status).toBe(200);
    expect(answer.body.data).toMatchObject({ id, is_active: false, key_name: 'to delete' });
    expectRefusal(await keys.read(key), 401, 'UNAUTHORIZED');
    expect((await keys.delete(id)).body.data).toEqual(answer.body.data);
    expect((await keys.get(id)).body.data.is_active).toBe(false);
    expect((await keys.list()).body.data).toContainEqual(answer.body.data);
    expectRefusal(await keys.create({ key_name: 'to delete' }), 400, 'BAD_REQUEST');
    const actions = (await keys.audit(id)).body.data.map((entry: { action: string }) => entry.action);
    expect(actions).toEqual(['api_key.deleted', 'api_key.created']);
  });

  it('is undone by PATCH is_active true', async () => {
    const { id, key } = await keys.make();
    await keys.delete(id);
    expect((await keys.patch(id, { is_active: true })).status).toBe(200);
    expect(await keys.statusWith(key)).toBe(200);
  });
});
