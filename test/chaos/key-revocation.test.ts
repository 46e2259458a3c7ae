import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Agent } from 'undici';
import { issueAccessToken } from '../../domain/auth/access-token.ts';
import { CreateApiKey } from '../../domain/contracts/api-keys.ts';
import { createApiKey } from '../../domain/keys/index.ts';
import { statement } from '../../platform/db/statement.ts';
import { createJwtSigner } from '../../platform/jwt.ts';
import type { SpawnedProcess } from '../support/stack.ts';
import { PlatformProcesses } from './platform-processes.ts';

const LISTENING = statement(`
  select pid from pg_stat_activity where datname = current_database() and application_name = 'api-broadcast'`);

let platform: PlatformProcesses;
let a: SpawnedProcess;
let b: SpawnedProcess;
let token: string;
const agent = new Agent();

interface Answer {
  status: number;
  body: { data: { id: number }; api_key: string };
}

beforeAll(async () => {
  platform = await PlatformProcesses.create({ RATE_LIMIT_DISABLED: 'true' });
  [a, b] = await Promise.all([platform.startApi(), platform.startApi()]);
  const jwt = await createJwtSigner(platform.environment['JWT_KEYS'] ?? '', 'business-platform');
  const { clientId, caller } = platform.tenant;
  token = await issueAccessToken(jwt, { userId: caller.userId ?? 0, clientId }, Date.now());
  await listeners(2);
});

afterAll(async () => {
  await agent.destroy();
  await platform.close();
});

interface Sent {
  method: string;
  path: string;
  headers: Record<string, string>;
  body?: unknown;
}

async function send(api: SpawnedProcess, { method, path, headers, body }: Sent): Promise<Answer> {
  const answer = await agent.request({
    origin: api.url,
    path,
    method,
    headers: { 'content-type': 'application/json', ...headers },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return { status: answer.statusCode, body: (await answer.body.json()) as Answer['body'] };
}

const bearer = (credential: string) => ({ authorization: `Bearer ${credential}` });

function call(api: SpawnedProcess, method: string, path: string, body?: unknown): Promise<Answer> {
  return send(api, { method, path: `/api/v1/integrations/api-keys${path}`, headers: bearer(token), body });
}

async function statusWith(api: SpawnedProcess, key: string): Promise<number> {
  const body = { action: 'list-work-items', limit: 1 };
  return (await send(api, { method: 'POST', path: '/api/v1/public/data', headers: { 'x-api-key': key }, body })).status;
}

/** Waits until so many APIs listen for revocations. */
async function listeners(count: number): Promise<void> {
  const deadline = Date.now() + 10_000;
  while ((await platform.tenant.system.query(LISTENING)).length !== count) {
    if (Date.now() > deadline) throw new Error(`there are not ${String(count)} listeners`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

describe('a key revoked on one API process', () => {
  it('is refused by the other at the moment the answer is there, 20 times over', async () => {
    const permissions = { 'work_items:read': true };
    const { body } = await call(a, 'POST', '', { key_name: 'revoked', permissions, environment: 'testing' });
    const [path, key] = [`/${String(body.data.id)}`, body.api_key];
    const durations: number[] = [];
    for (let round = 0; round < 20; round += 1) {
      // B holds the key in memory, and is asked for it without a pause while it is revoked.
      expect(await statusWith(b, key)).toBe(200);
      const revocation = new AbortController();
      const flood = (async () => {
        while (!revocation.signal.aborted) await statusWith(b, key);
      })();
      const startedAt = performance.now();
      const revoked =
        round % 2 === 0 ? await call(a, 'PATCH', path, { is_active: false }) : await call(a, 'DELETE', path);
      durations.push(performance.now() - startedAt);
      const [onB, onA] = await Promise.all([statusWith(b, key), statusWith(a, key)]);
      revocation.abort();
      await flood;
      expect({ round, revoked: revoked.status, onA, onB }).toEqual({ round, revoked: 200, onA: 401, onB: 401 });
      // Activated on B, it works on A at once too.
      expect((await call(b, 'PATCH', path, { is_active: true })).status).toBe(200);
      expect(await statusWith(a, key)).toBe(200);
    }
    durations.sort((x, y) => x - y);
    // Acknowledged, not waited out: the wait for a silent process is a second.
    expect(durations[10]).toBeLessThan(500);
  });

  it('has its old secret refused everywhere at once by a rotation without grace', async () => {
    const permissions = { 'work_items:read': true };
    const { body } = await call(a, 'POST', '', { key_name: 'rotated', permissions, environment: 'testing' });
    let key = body.api_key;
    for (let round = 0; round < 5; round += 1) {
      expect(await statusWith(b, key)).toBe(200);
      const rotated = await call(a, 'POST', `/${String(body.data.id)}/rotate`, { grace_hours: 0 });
      expect(await statusWith(b, key)).toBe(401);
      key = rotated.body.api_key;
      expect(await statusWith(b, key)).toBe(200);
    }
  });

  it('is refused too while the other process can not be told, which then holds no keys', async () => {
    const permissions = { 'work_items:read': true };
    const { body } = await call(a, 'POST', '', { key_name: 'untold', permissions, environment: 'testing' });
    expect(await statusWith(b, body.api_key)).toBe(200);
    const cut = statement(`
      select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and application_name = 'api-broadcast'`);
    await platform.tenant.system.query(cut);
    await listeners(0);
    expect((await call(a, 'PATCH', `/${String(body.data.id)}`, { is_active: false })).status).toBe(200);
    expect(await statusWith(b, body.api_key)).toBe(401);
    await listeners(2);
  });

  it('stops with its owner, and so does the owner’s token, when a user is deactivated on one process', async () => {
    const { tenants, vault, clientId, caller, system } = platform.tenant;
    const insert = statement(`
      insert into users (client_id, email, name, role) values ($1, 'leaver@acme.example', 'Leaver', 'member') returning id`);
    const [user] = await system.query<{ id: number }>(insert, [clientId]);
    const userId = user?.id ?? 0;
    const jwt = await createJwtSigner(platform.environment['JWT_KEYS'] ?? '', 'business-platform');
    const path = '/api/v1/users';
    for (let round = 0; round < 5; round += 1) {
      const input = CreateApiKey.parse({
        key_name: `leaver ${String(round)}`,
        permissions: { 'work_items:read': true },
      });
      const leaver = { ...caller, userId, role: 'member' as const };
      const { apiKey } = await tenants.transaction(clientId, (tx) =>
        createApiKey(tx, leaver, input, { vault, now: Date.now() }),
      );
      // A token tells whole seconds: one of the next lives on past a deactivation in this one.
      const ownToken = await issueAccessToken(jwt, { userId, clientId }, Date.now() + 1_000);
      const lists = async (): Promise<number> =>
        (await send(b, { method: 'GET', path, headers: bearer(ownToken) })).status;
      expect([await statusWith(b, apiKey), await lists()]).toEqual([200, 200]);
      const change = (body: object) =>
        send(a, { method: 'PATCH', path: `${path}/${String(userId)}`, headers: bearer(token), body });
      expect((await change({ is_active: false })).status).toBe(200);
      expect([await statusWith(b, apiKey), await lists()]).toEqual([401, 401]);
      expect((await change({ is_active: true })).status).toBe(200);
      expect(await statusWith(b, apiKey)).toBe(401);
    }
  });

  it('is answered within the second when the other process was killed', async () => {
    const permissions = { 'work_items:read': true };
    const { body } = await call(a, 'POST', '', { key_name: 'alone', permissions, environment: 'testing' });
    await b.kill9();
    const startedAt = performance.now();
    expect((await call(a, 'DELETE', `/${String(body.data.id)}`)).status).toBe(200);
    expect(performance.now() - startedAt).toBeLessThan(2_000);
    expect(await statusWith(a, body.api_key)).toBe(401);
    b = await platform.startApi();
    expect(await statusWith(b, body.api_key)).toBe(401);
  });
});

describe('the use of a key', () => {
  it('is written when its API process is stopped', async () => {
    const permissions = { 'work_items:read': true };
    const { body } = await call(a, 'POST', '', { key_name: 'counted', permissions, environment: 'testing' });
    for (let n = 0; n < 5; n += 1) await statusWith(b, body.api_key);
    expect(await b.stop()).toBe(0);
    const used = await call(a, 'GET', `/${String(body.data.id)}`);
    expect(used.body.data).toMatchObject({ usage_stats: { total_requests: 5 }, last_used_at: expect.any(String) });
  });
});
