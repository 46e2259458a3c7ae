import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Response } from 'supertest';
import { startApi } from './support.ts';
import type { ApiFixture, ApiTenant } from './support.ts';
import { clientToken, register, TOKEN, tokenRequest, USERINFO } from './oauth-support.ts';

let api: ApiFixture;
/** Free tier: 100 requests a minute, 20 in a second. */
let tenant: ApiTenant;
beforeAll(async () => {
  api = await startApi();
  tenant = await api.tenant('small');
});
afterAll(() => api.close());

/** More than a minute allows: however slow the machine is, some are refused. */
const TRIES = 130;
const together = (send: () => Promise<Response>): Promise<Response[]> =>
  Promise.all(Array.from({ length: TRIES }, send));

function expectLimited(answers: readonly Response[]): Response {
  const refused = answers.filter(({ status }) => status === 429);
  expect(refused.length).toBeGreaterThan(0);
  expect(refused.length).toBeLessThan(TRIES);
  const [{ headers }] = refused as [Response];
  expect(Number(headers['retry-after'])).toBeGreaterThan(0);
  expect(headers['x-ratelimit-limit']).toBe('100');
  expect(Number(headers['x-ratelimit-remaining'])).toBeGreaterThanOrEqual(0);
  expect(Date.parse(headers['x-ratelimit-reset'] ?? '')).toBeGreaterThan(Date.now() - 1_000);
  return refused[0]!;
}

it('token requests count per application, by the tier of its client', async () => {
  const app = await register(api, { scopes: ['contacts:read'] }, tenant);
  const other = await register(api, { scopes: ['contacts:read'], name: 'Other' }, tenant);
  const answers = await together(() => tokenRequest(api, { grant_type: 'client_credentials' }, app));
  const refused = expectLimited(answers);
  expect(refused.body).toEqual({
    error: 'temporarily_unavailable',
    error_description: expect.stringMatching(/^(More than 20 requests|The limit of 100 requests)/),
    request_id: refused.headers['x-request-id'],
  });
  expect(refused.headers['cache-control']).toBe('no-store');
  const granted = answers.find(({ status }) => status === 200);
  expect(granted?.headers['x-ratelimit-limit']).toBe('100');
  expect((await tokenRequest(api, { grant_type: 'client_credentials' }, other)).status).toBe(200);
});

it('those of a public client count by address too: nobody can use up the limit of all its users', async () => {
  const input = { client_type: 'public', grant_types: ['authorization_code', 'refresh_token'] };
  const app = await register(api, { ...input, scopes: ['contacts:read'] }, tenant);
  const from = (address: string): Promise<Response> =>
    Promise.resolve(
      api.http().post(TOKEN).set('X-Forwarded-For', address).type('form').send({
        grant_type: 'refresh_token',
        refresh_token: 'svc_rt_wrong',
        client_id: app.client_id,
      }),
    );
  expectLimited(await together(() => from('198.51.100.21')));
  expect((await from('198.51.100.22')).body.error).toBe('invalid_grant');
});

it('calls with a token count too, userinfo among them', async () => {
  const app = await register(api, { scopes: ['contacts:read'] }, tenant);
  const token = await clientToken(api, app);
  const refused = expectLimited(
    await together(() => Promise.resolve(api.http().get(USERINFO).set('Authorization', `Bearer ${token}`))),
  );
  expect(refused.body.error).toBe('temporarily_unavailable');
});
