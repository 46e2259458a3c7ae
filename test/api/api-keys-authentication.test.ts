import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { createToken } from '../../platform/crypto.ts';
import { statement } from '../../platform/db/statement.ts';
import { KeyManager } from './api-keys-support.ts';
import { expectRefusal, startApi } from './support.ts';
import type { ApiFixture } from './support.ts';

let api: ApiFixture;
let keys: KeyManager;
beforeAll(async () => {
  api = await startApi();
  keys = new KeyManager(api, api.acme);
});
afterAll(() => api.close());

describe('expiry', () => {
  it('works until the second it expires, and no longer, cached or not', async () => {
    const { id, key } = await keys.make({ expires_in_days: 1 });
    const expiresAt = Date.parse((await keys.get(id)).body.data.expires_at);
    const now = jest.spyOn(api.clock, 'now');
    try {
      now.mockImplementation(() => expiresAt - 1);
      expect(await keys.statusWith(key)).toBe(200);
      now.mockImplementation(() => expiresAt);
      expectRefusal(await keys.read(key), 401, 'UNAUTHORIZED');
    } finally {
      now.mockRestore();
    }
  });
});

describe('keys that do not authenticate', () => {
  it.each([
    ['another prefix', () => createToken('svc_wh_')],
    ['a changed character', (key: string) => `${key.slice(0, 20)}${key[20] === 'A' ? 'B' : 'A'}${key.slice(21)}`],
    ['a cut end', (key: string) => key.slice(0, -1)],
    ['something appended', (key: string) => `${key}A`],
    ['no key at all', () => 'svc_sk_'],
  ])('%s is INVALID_API_KEY', async (_case, change) => {
    const { key } = await keys.make();
    expectRefusal(await keys.read(change(key)), 401, 'INVALID_API_KEY');
  });

  it('unknown, inactive and expired ones read the same', async () => {
    const inactive = await keys.make();
    await keys.patch(inactive.id, { is_active: false });
    const expired = await keys.make();
    const expire = statement(`update api_keys set expires_at = now() - interval '1 second' where id = $1`);
    await api.services.system.query(expire, [expired.id]);
    const answers = [];
    for (const key of [createToken('svc_sk_'), inactive.key, expired.key]) answers.push(await keys.read(key));
    for (const answer of answers) expectRefusal(answer, 401, 'UNAUTHORIZED');
    const [first, ...rest] = answers.map((answer) => ({ ...answer.body.error, request_id: '' }));
    for (const error of rest) expect(error).toEqual(first);
  });

  it('a key whose owner is deactivated', async () => {
    const tenant = await api.tenant('leaver', { tier: 'business' });
    const leaver = new KeyManager(api, tenant, 'member');
    const { key } = await leaver.make();
    const leave = statement('update users set is_active = false where id = $1');
    await api.services.system.query(leave, [tenant.users.member.id]);
    expectRefusal(await leaver.read(key), 401, 'UNAUTHORIZED');
  });

  it('are looked up by digest only: the timing of a comparison tells nothing of a secret', async () => {
    const { key } = await keys.make();
    const read = jest.spyOn(api.services.system, 'read');
    try {
      await keys.read(key);
      const values = read.mock.calls.flatMap(([, given]) => [...(given ?? [])]);
      expect(values).toContainEqual(createHash('sha256').update(key).digest());
      expect(values).not.toContain(key);
    } finally {
      read.mockRestore();
    }
  });
});

describe('the allowlist, behind trusted proxies', () => {
  it.each<[string[], string, boolean]>([
    [[], '203.0.113.9', true],
    [['203.0.113.9'], '203.0.113.9', true],
    [['203.0.113.9'], '203.0.113.10', false],
    [['203.0.113.0/24'], '203.0.113.255', true],
    [['203.0.113.0/24'], '203.0.114.0', false],
    [['203.0.113.0/24'], '::ffff:203.0.113.9', true],
    [['::ffff:203.0.113.9'], '203.0.113.9', true],
    [['2001:db8::/32'], '2001:db8:1::1', true],
    [['2001:db8::1'], '2001:0db8:0::0001', true],
    [['2001:db8::/32'], '2001:db9::1', false],
    [['0.0.0.0/0'], '2001:db8::1', false],
    // What stands before an address that a trusted proxy has not added is the caller's own invention.
    [['203.0.113.9'], '203.0.113.9, 198.51.100.66', false],
  ])('%j and a request from %s: %s', async (allowed_ips, from, allowed) => {
    const { key } = await keys.make({ allowed_ips });
    for (const attempt of ['not cached', 'cached']) {
      const answer = await keys.read(key, from);
      expect({ attempt, status: answer.status }).toEqual({ attempt, status: allowed ? 200 : 403 });
      if (!allowed) expectRefusal(answer, 403, 'IP_NOT_ALLOWED');
    }
  });

  it('bites at once when PATCH changes it', async () => {
    const { id, key } = await keys.make();
    expect(await keys.statusWith(key, '203.0.113.9')).toBe(200);
    await keys.patch(id, { allowed_ips: ['198.51.100.0/24'] });
    expectRefusal(await keys.read(key, '203.0.113.9'), 403, 'IP_NOT_ALLOWED');
    await keys.patch(id, { allowed_ips: [] });
    expect(await keys.statusWith(key, '203.0.113.9')).toBe(200);
  });
});

describe('the look-up', () => {
  it('reads a key once for a burst of requests, and again once it is changed', async () => {
    const { id, key } = await keys.make();
    const read = jest.spyOn(api.services.system, 'read');
    const lookUps = () => read.mock.calls.filter(([{ text }]) => text.includes('from api_keys')).length;
    try {
      await Promise.all(Array.from({ length: 20 }, () => keys.statusWith(key)));
      expect(lookUps()).toBe(1);
      await keys.patch(id, { description: 'changed' });
      await keys.statusWith(key);
      expect(lookUps()).toBe(2);
    } finally {
      read.mockRestore();
    }
  });

  it('keeps nothing that it read before the key was revoked, and nobody who comes later shares it', async () => {
    const { id, key } = await keys.make();
    const { system } = api.services;
    const original = system.read.bind(system);
    const gate = Promise.withResolvers<undefined>();
    const held = Promise.withResolvers<undefined>();
    let isFirst = true;
    const read = jest.spyOn(system, 'read').mockImplementation(async (sql, values) => {
      const rows = await original(sql, values);
      if (!sql.text.includes('k.key_hash = $1') || !isFirst) return rows;
      isFirst = false;
      held.resolve(undefined);
      await gate.promise;
      return rows;
    });
    try {
      const early = keys.statusWith(key);
      await held.promise;
      await keys.patch(id, { is_active: false });
      expect(await keys.statusWith(key)).toBe(401);
      gate.resolve(undefined);
      // It came before the revocation was answered.
      expect(await early).toBe(200);
      expect(await keys.statusWith(key)).toBe(401);
    } finally {
      read.mockRestore();
    }
  });
});
