import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { KeyManager } from './api-keys-support.ts';
import { expectRefusal, PASSWORD, startApi } from './support.ts';
import type { ApiFixture } from './support.ts';

const HOUR = 3_600;

let api: ApiFixture;
let keys: KeyManager;
beforeAll(async () => {
  api = await startApi();
  keys = new KeyManager(api, api.acme);
});
afterAll(() => api.close());

describe('POST /api/v1/integrations/api-keys/{id}/rotate', () => {
  it('gives the same key a new secret and answers it once', async () => {
    const { id, key } = await keys.make({ environment: 'production' });
    const answer = await keys.rotate(id);
    expect(answer.status).toBe(200);
    const rotated = answer.body.api_key as string;
    expect(rotated).toMatch(/^svc_sk_[\w-]{49}$/);
    expect(rotated).not.toBe(key);
    expect(answer.body.data).toMatchObject({
      id,
      api_key_masked: `${rotated.slice(0, 8)}...${rotated.slice(-4)}`,
      api_key_full: null,
    });
    const grace = Date.parse(answer.body.data.previous_key_expires_at) - api.clock.now();
    expect(Math.abs(grace - 24 * HOUR * 1000)).toBeLessThan(5_000);
    expect((await keys.reveal(id, PASSWORD)).body.api_key).toBe(rotated);
    expect((await keys.get(id)).text).not.toContain(rotated);
  });

  it('lets the old secret work until the grace is over, to the second', async () => {
    const { id, key } = await keys.make();
    const rotated = (await keys.rotate(id, { grace_hours: 1 })).body.api_key as string;
    expect(await keys.statusWith(key)).toBe(200);
    api.clock.advance(HOUR - 5);
    expect(await keys.statusWith(key)).toBe(200);
    api.clock.advance(5);
    expectRefusal(await keys.read(key), 401, 'UNAUTHORIZED');
    expect(await keys.statusWith(rotated)).toBe(200);
  });

  it('ends the old secret at once with grace_hours 0', async () => {
    const { id, key } = await keys.make();
    expect(await keys.statusWith(key)).toBe(200);
    const { body } = await keys.rotate(id, { grace_hours: 0 });
    expect(body.data.previous_key_expires_at).toBeNull();
    expect(await keys.statusWith(key)).toBe(401);
    expect(await keys.statusWith(body.api_key)).toBe(200);
  });

  it('drops the older secret when it is rotated again within the grace', async () => {
    const { id, key: first } = await keys.make();
    const second = (await keys.rotate(id)).body.api_key as string;
    expect(await keys.statusWith(first)).toBe(200);
    const third = (await keys.rotate(id)).body.api_key as string;
    expect(await Promise.all([first, second, third].map((key) => keys.statusWith(key)))).toEqual([401, 200, 200]);
  });

  it.each(['PATCH', 'DELETE'])('%s ends both secrets, and only the new one comes back', async (method) => {
    const { id, key } = await keys.make();
    const rotated = (await keys.rotate(id)).body.api_key as string;
    await (method === 'PATCH' ? keys.patch(id, { is_active: false }) : keys.delete(id));
    expect(await Promise.all([key, rotated].map((secret) => keys.statusWith(secret)))).toEqual([401, 401]);
    await keys.patch(id, { is_active: true });
    expect(await Promise.all([key, rotated].map((secret) => keys.statusWith(secret)))).toEqual([401, 200]);
  });

  it('keeps scopes, allowlist and expiry for both secrets', async () => {
    const { id, key } = await keys.make({ allowed_ips: ['198.51.100.0/24'], expires_in_days: 1 });
    const rotated = (await keys.rotate(id, { grace_hours: 720 })).body.api_key as string;
    for (const secret of [key, rotated]) {
      expect(await keys.statusWith(secret)).toBe(200);
      expectRefusal(await keys.read(secret, '203.0.113.1'), 403, 'IP_NOT_ALLOWED');
    }
    api.clock.advance(24 * HOUR);
    for (const secret of [key, rotated]) expectRefusal(await keys.read(secret), 401, 'UNAUTHORIZED');
  });

  it.each<[unknown, string]>([
    [-1, 'VALIDATION_ERROR'],
    [721, 'VALIDATION_ERROR'],
    [1.5, 'BAD_REQUEST'],
    ['24', 'BAD_REQUEST'],
  ])('grace_hours %j is a 400 %s', async (grace_hours, code) => {
    const { id } = await keys.make();
    expectRefusal(await keys.rotate(id, { grace_hours }), 400, code);
  });

  it('refuses an inactive and an expired key with 409', async () => {
    const inactive = await keys.make();
    await keys.delete(inactive.id);
    expectRefusal(await keys.rotate(inactive.id), 409, 'CONFLICT');
    const expired = await keys.make({ expires_in_days: 1 });
    api.clock.advance(24 * HOUR);
    expectRefusal(await keys.rotate(expired.id), 409, 'CONFLICT');
  });

  it('is for the user who owns the key alone: an owner or admin gets 403 for another’s, and it works on', async () => {
    const ofMember = await keys.as('member').make();
    const ofOwner = await keys.make();
    const tries = [await keys.rotate(ofMember.id), await keys.as('admin').rotate(ofOwner.id, { grace_hours: 0 })];
    for (const answer of tries) {
      expectRefusal(answer, 403, 'FORBIDDEN');
      expect(answer.body.error.message).toContain('Only the user who owns this key can rotate it');
      expect(answer.body).not.toHaveProperty('api_key');
    }
    expect(await Promise.all([ofMember.key, ofOwner.key].map((key) => keys.statusWith(key)))).toEqual([200, 200]);
    expect((await keys.as('member').rotate(ofMember.id)).status).toBe(200);
  });

  it('answers the same new secret to a repetition with the same Idempotency-Key', async () => {
    const { id } = await keys.make();
    const send = async () =>
      api
        .http()
        .post(`/api/v1/integrations/api-keys/${String(id)}/rotate`)
        .set({ Authorization: `Bearer ${await api.acme.token()}`, 'Idempotency-Key': `rotate-${String(id)}` })
        .send({});
    const [first, second] = [await send(), await send()];
    expect(second.body.api_key).toBe(first.body.api_key);
    expect(second.headers['idempotency-replayed']).toBe('true');
    expect(await keys.statusWith(first.body.api_key)).toBe(200);
  });
});
