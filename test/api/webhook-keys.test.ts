import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { expectRefusal, startApi } from './support.ts';
import type { ApiFixture } from './support.ts';
import { WEBHOOKS, webhooksOf } from './webhooks-support.ts';
import type { Webhooks } from './webhooks-support.ts';

const HOUR = 3_600;
const SECRET = /^whsec_[A-Za-z0-9+/]{43}=$/;

let api: ApiFixture;
let webhooks: Webhooks;
beforeAll(async () => {
  api = await startApi({ RATE_LIMIT_DISABLED: 'true' });
  webhooks = webhooksOf(api);
});
afterAll(() => api.close());

type As = Parameters<Webhooks['call']>[3];
const rotate = (id: number, body: object = {}, as?: As) => webhooks.call('post', `/${String(id)}/rotate-key`, body, as);
const publicKeys = (id: number, as?: As) => webhooks.call('get', `/${String(id)}/public-keys`, undefined, as);
const keysOf = (id: number) =>
  webhooks.rows<{ key_version: number; expires_at: Date | null; deactivated_at: Date | null }>(
    'select key_version, expires_at, deactivated_at from webhook_keys where webhook_id = $1 order by key_version',
    [id],
  );
/** Milliseconds from now, by the API's clock, that a moment lies within a minute of. */
const about = (text: string, seconds: number) =>
  Math.abs(Date.parse(text) - api.clock.now() - seconds * 1_000) < 60_000;

describe('POST …/{id}/rotate-key', () => {
  it('answers a new secret once, and keeps the old key for 72 hours', async () => {
    const made = await webhooks.create();
    const id = made.body.data.id as number;
    const answer = await rotate(id);
    expect(answer.status).toBe(200);
    expect(answer.body.secret_key).toMatch(SECRET);
    expect(answer.body.secret_key).not.toBe(made.body.secret_key);
    expect(answer.body.data).toMatchObject({ id, current_key_version: 2 });
    expect(about(answer.body.data.grace_period_ends_at, 72 * HOUR)).toBe(true);
    const read = await webhooks.get(id);
    expect(read.body.data.secret_key).toBe(`${(answer.body.secret_key as string).slice(0, 10)}...`);
    for (const text of [read.text, api.logLines.join('\n')]) expect(text).not.toContain(answer.body.secret_key);
    const [old, current] = await keysOf(id);
    expect(old?.expires_at?.toISOString()).toBe(answer.body.data.grace_period_ends_at);
    expect(current).toMatchObject({ key_version: 2, expires_at: null });
  });

  it('asks for the rotation’s workflow, notes who did it, and tells the relays', async () => {
    const id = await webhooks.made();
    const revision = () => webhooks.rows<{ revision: number }>('select revision from webhooks where id = $1', [id]);
    const [before] = await revision();
    const answer = await rotate(id, { grace_period_hours: 24 });
    const starts = await webhooks.rows(
      `select workflow_type, input from workflow_starts where workflow_id = 'signing-key/${String(id)}/2'`,
    );
    const input = {
      client_id: api.acme.clientId,
      webhook_id: id,
      key_version: 2,
      grace_period_hours: 24,
      old_key_ends_at: answer.body.data.grace_period_ends_at,
    };
    expect(starts).toEqual([{ workflow_type: 'rotateSigningKey', input }]);
    expect((await revision())[0]!.revision).toBeGreaterThan(before!.revision);
    const audited = await webhooks.rows(
      `select actor_id, details from audit_entries where action = 'webhook.key_rotated' and subject_id = $1`,
      [String(id)],
    );
    const changes = { current_key_version: { from: 1, to: 2 } };
    expect(audited).toEqual([
      { actor_id: String(api.acme.users.owner.id), details: { changes, grace_period_hours: 24 } },
    ]);
  });

  it('ends every older key at once with grace_period_hours 0', async () => {
    const id = await webhooks.made();
    await rotate(id);
    const answer = await rotate(id, { grace_period_hours: 0 });
    expect(answer.body.data).toMatchObject({ current_key_version: 3, grace_period_ends_at: null });
    expect((await keysOf(id)).map(({ deactivated_at }) => deactivated_at !== null)).toEqual([true, true, false]);
  });

  it('keeps the end that was promised when it is rotated again, and never more than 5 keys', async () => {
    const id = await webhooks.made();
    const first = await rotate(id, { grace_period_hours: 10 });
    const second = await rotate(id, { grace_period_hours: 720 });
    const ends = (await keysOf(id)).map(({ expires_at }) => expires_at?.toISOString() ?? null);
    expect(ends).toEqual([first.body.data.grace_period_ends_at, second.body.data.grace_period_ends_at, null]);
    await rotate(id);
    await rotate(id);
    expectRefusal(await rotate(id), 409, 'CONFLICT');
    expect((await webhooks.get(id)).body.data.current_key_version).toBe(5);
    expect((await rotate(id, { grace_period_hours: 0 })).body.data.current_key_version).toBe(6);
    expect((await rotate(id)).status).toBe(200);
  });

  it('gives each of ten rotations at once a version of its own', async () => {
    const id = await webhooks.made();
    const answers = await Promise.all(Array.from({ length: 10 }, () => rotate(id, { grace_period_hours: 0 })));
    const versions = answers.map(({ body }) => body.data.current_key_version as number);
    expect(versions.toSorted((a, b) => a - b)).toEqual([2, 3, 4, 5, 6, 7, 8, 9, 10, 11]);
    expect((await keysOf(id)).filter(({ deactivated_at }) => deactivated_at === null)).toHaveLength(1);
  });

  it('repeated under one Idempotency-Key rotates once and answers the same secret, which is kept encrypted', async () => {
    const id = await webhooks.made();
    const token = await api.acme.token();
    const again = () =>
      api
        .http()
        .post(`${WEBHOOKS}/${String(id)}/rotate-key`)
        .set('Authorization', `Bearer ${token}`)
        .set('Idempotency-Key', 'rotate-once')
        .send({});
    const [first, second] = [await again(), await again()];
    expect(second.headers['idempotency-replayed']).toBe('true');
    expect(second.body.secret_key).toBe(first.body.secret_key);
    expect((await webhooks.get(id)).body.data.current_key_version).toBe(2);
    const stored = await webhooks.rows<{ row: string }>('select r::text as row from idempotency_records r');
    expect(stored.map(({ row }) => row).join()).not.toContain(first.body.secret_key);
  });

  it('gives the secret of a webhook that is not signed for yet, before it is switched to hmac', async () => {
    const id = await webhooks.made({ auth_type: 'none' });
    expect((await rotate(id)).body.secret_key).toMatch(SECRET);
  });

  it.each([-1, 721, 1.5, '72', null])('refuses a grace period of %j hours', async (hours) => {
    const id = await webhooks.made();
    const answer = await rotate(id, { grace_period_hours: hours });
    expect(answer.status).toBe(400);
    expect(answer.body.error.details).toEqual([expect.objectContaining({ field: 'grace_period_hours' })]);
  });

  it('knows only webhooks that the caller may see, and wants webhooks:write', async () => {
    const id = await webhooks.made();
    expectRefusal(await rotate(id, {}, { tenant: api.rival }), 404, 'NOT_FOUND');
    expectRefusal(await rotate(999_999), 404, 'NOT_FOUND');
    for (const role of ['member', 'auditor'] as const)
      expectRefusal(await rotate(id, {}, { role }), 403, 'SCOPE_REQUIRED');
    await webhooks.remove(id);
    expectRefusal(await rotate(id), 404, 'NOT_FOUND');
  });
});

describe('GET …/{id}/public-keys', () => {
  it('lists the keys of now, the current one first, while ed25519 is on', async () => {
    const id = await webhooks.made({ ed25519_enabled: true });
    const [first] = (await publicKeys(id)).body.data as { public_key: string }[];
    expect(first).toEqual({
      key_version: 1,
      algorithm: 'ed25519',
      public_key: expect.stringMatching(/^whpk_[A-Za-z0-9+/]{43}=$/),
      expires_at: null,
    });
    const { data } = (await rotate(id, { grace_period_hours: 1 })).body;
    expect((await publicKeys(id)).body.data).toEqual([
      { ...first, key_version: 2, public_key: expect.not.stringContaining(first!.public_key) },
      { ...first, expires_at: data.grace_period_ends_at },
    ]);
    api.clock.advance(HOUR + 1);
    const later = (await publicKeys(id)).body.data as { key_version: number }[];
    expect(later.map(({ key_version }) => key_version)).toEqual([2]);
  });

  it('has a key as soon as ed25519 is switched on, and the same one when that is off and on again', async () => {
    const id = await webhooks.made();
    expect((await publicKeys(id)).body.data).toEqual([]);
    await webhooks.patch(id, { ed25519_enabled: true });
    const { data } = (await publicKeys(id)).body;
    expect(data).toHaveLength(1);
    await webhooks.patch(id, { ed25519_enabled: false });
    expect((await publicKeys(id)).body.data).toEqual([]);
    await webhooks.patch(id, { ed25519_enabled: true });
    expect((await publicKeys(id)).body.data).toEqual(data);
  });

  it('knows only webhooks that the caller may see', async () => {
    const id = await webhooks.made({ ed25519_enabled: true });
    expectRefusal(await publicKeys(id, { tenant: api.rival }), 404, 'NOT_FOUND');
    expectRefusal(await publicKeys(999_999), 404, 'NOT_FOUND');
  });
});
