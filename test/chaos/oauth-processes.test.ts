import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createHash, randomBytes } from 'node:crypto';
import { Agent } from 'undici';
import { freePort } from '../../dev/ports.ts';
import { CreateOAuthApplication } from '../../domain/contracts/oauth.ts';
import { createApplication, deleteApplication, findApplication, issueCode } from '../../domain/oauth/index.ts';
import { statement } from '../../platform/db/statement.ts';
import { spawnProcess } from '../support/stack.ts';
import type { SpawnedProcess } from '../support/stack.ts';
import { PlatformProcesses } from './platform-processes.ts';

const PUBLIC_URL = 'https://platform.example';
const REDIRECT_URI = 'https://app.example.com/cb';
const LISTENING = statement(`
  select pid from pg_stat_activity where datname = current_database() and application_name = 'api-broadcast'`);

let platform: PlatformProcesses;
let apis: [Api, Api];
let app: { id: number; client_id: string; client_secret: string | null };
const agent = new Agent();

/** A process and where it listens: both tell the same public address. */
interface Api {
  process: SpawnedProcess;
  origin: string;
}

type Body = Record<string, string>;
interface Answer {
  status: number;
  body: Body;
}

beforeAll(async () => {
  // Both processes are one issuer.
  platform = await PlatformProcesses.create({ RATE_LIMIT_DISABLED: 'true', PUBLIC_URL });
  apis = await Promise.all([startApi(), startApi()]);
  app = await register();
  const deadline = Date.now() + 10_000;
  while ((await platform.tenant.system.query(LISTENING)).length !== 2) {
    if (Date.now() > deadline) throw new Error('the APIs do not listen');
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
});
afterAll(async () => {
  for (const { process } of apis) await process.stop();
  await agent.destroy();
  await platform.close();
});

async function startApi(): Promise<Api> {
  const port = await freePort();
  const process = await spawnProcess('api/server.ts', { ...platform.environment, API_PORT: String(port) });
  return { process, origin: `http://127.0.0.1:${String(port)}` };
}

function register(): Promise<typeof app> {
  const { tenants, clientId, caller, vault } = platform.tenant;
  const input = CreateOAuthApplication.parse({
    name: 'Chaos',
    redirect_uris: [REDIRECT_URI],
    scopes: ['vision:extract', 'contacts:read'],
    grant_types: ['authorization_code', 'refresh_token', 'client_credentials'],
  });
  return tenants.transaction(clientId, (tx) => createApplication(tx, { ...caller, role: 'owner' }, input, vault));
}

async function post(api: Api, path: string, fields: Body): Promise<Answer> {
  const answer = await agent.request({
    origin: api.origin,
    path: `/api/v1/oauth/${path}`,
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({
      client_id: app.client_id,
      client_secret: app.client_secret ?? '',
      ...fields,
    }).toString(),
  });
  return { status: answer.statusCode, body: (await answer.body.json()) as Body };
}

async function statusWith(api: Api, token: string): Promise<number> {
  const path = '/api/v1/vision/results/0b8f5f0e-5d0c-4f4e-9a55-3c1f8f6f2a11';
  const answer = await agent.request({
    origin: api.origin,
    path,
    method: 'GET',
    headers: { authorization: `Bearer ${token}` },
  });
  await answer.body.dump();
  return answer.statusCode;
}

async function newCode(): Promise<Body> {
  const { system, caller } = platform.tenant;
  const application = await findApplication(system, app.client_id);
  if (application === undefined) throw new Error('no application');
  const verifier = randomBytes(32).toString('base64url');
  const grant = {
    application,
    userId: caller.userId ?? 0,
    redirectUri: REDIRECT_URI,
    scopes: ['vision:extract'],
    codeChallenge: createHash('sha256').update(verifier).digest('base64url'),
    authenticatedAt: new Date(),
    address: null,
  };
  const code = await issueCode(system, grant, Date.now());
  return { grant_type: 'authorization_code', code, redirect_uri: REDIRECT_URI, code_verifier: verifier };
}

async function tokens(): Promise<{ access: string; refresh: string }> {
  const { body } = await post(apis[0], 'token', await newCode());
  return { access: body['access_token'] ?? '', refresh: body['refresh_token'] ?? '' };
}

describe('over two API processes', () => {
  it('a token revoked on one is refused by the other at the moment the answer is there', async () => {
    const durations: number[] = [];
    for (let round = 0; round < 10; round += 1) {
      const { access, refresh } = await tokens();
      expect([await statusWith(apis[0], access), await statusWith(apis[1], access)]).toEqual([404, 404]);
      const startedAt = performance.now();
      await post(apis[0], 'revoke', { token: round % 2 === 0 ? access : refresh });
      durations.push(performance.now() - startedAt);
      expect([await statusWith(apis[0], access), await statusWith(apis[1], access)]).toEqual([401, 401]);
    }
    durations.sort((x, y) => x - y);
    expect(durations[5]).toBeLessThan(500);
  });

  it('20 exchanges of one code give one token set, which is revoked on both', async () => {
    const code = await newCode();
    const all = Array.from({ length: 20 }, (_, n) => post(apis[n % 2 === 0 ? 0 : 1], 'token', code));
    const good = (await Promise.all(all)).filter(({ status }) => status === 200);
    expect(good).toHaveLength(1);
    const access = good[0]?.body['access_token'] ?? '';
    expect([await statusWith(apis[0], access), await statusWith(apis[1], access)]).toEqual([401, 401]);
  });

  it('20 uses of one refresh token give one success and a revoked chain', async () => {
    const { refresh } = await tokens();
    const fields = { grant_type: 'refresh_token', refresh_token: refresh };
    const all = Array.from({ length: 20 }, (_, n) => post(apis[n % 2 === 0 ? 0 : 1], 'token', fields));
    const good = (await Promise.all(all)).filter(({ status }) => status === 200);
    expect(good).toHaveLength(1);
    const { access_token: access = '', refresh_token: next = '' } = good[0]?.body ?? {};
    expect([await statusWith(apis[0], access), await statusWith(apis[1], access)]).toEqual([401, 401]);
    expect((await post(apis[1], 'token', { ...fields, refresh_token: next })).body['error']).toBe('invalid_grant');
  });

  it('a process killed in the middle of refreshes leaves no chain with two live tokens', async () => {
    for (let round = 0; round < 3; round += 1) {
      const { refresh } = await tokens();
      const fields = { grant_type: 'refresh_token', refresh_token: refresh };
      const pending = post(apis[1], 'token', fields).catch(() => undefined);
      await new Promise((resolve) => setTimeout(resolve, round));
      await apis[1].process.kill9();
      const lost = await pending;
      const again = await post(apis[0], 'token', fields);
      // Either it was rotated, and its coming again is reuse; or it never was, and works now.
      if (lost?.status === 200) expect(again.body['error']).toBe('invalid_grant');
      const live = statement(`
        select count(*) as live from refresh_tokens
        where family_id = (select family_id from refresh_tokens where token_hash = $1)
          and used_at is null and revoked_at is null`);
      const hash = createHash('sha256').update(refresh).digest();
      const [row] = await platform.tenant.system.query<{ live: number }>(live, [hash]);
      expect(row?.live).toBeLessThanOrEqual(1);
      apis[1] = await startApi();
    }
  });

  it('a deleted application is gone everywhere within a second', async () => {
    const { body } = await post(apis[0], 'token', { grant_type: 'client_credentials' });
    const access = body['access_token'] ?? '';
    expect([await statusWith(apis[0], access), await statusWith(apis[1], access)]).toEqual([404, 404]);
    const { tenants, clientId, caller } = platform.tenant;
    // Past the API, so that nobody is told: what is cached ends by itself.
    await tenants.transaction(clientId, (tx) => deleteApplication(tx, { ...caller, role: 'owner' }, app.id));
    await new Promise((resolve) => setTimeout(resolve, 1_050));
    expect([await statusWith(apis[0], access), await statusWith(apis[1], access)]).toEqual([401, 401]);
    expect((await post(apis[1], 'token', { grant_type: 'client_credentials' })).body['error']).toBe('invalid_client');
  });
});
