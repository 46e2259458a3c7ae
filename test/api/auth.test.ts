import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { statement } from '../../platform/db/statement.ts';
import { expectRefusal, PASSWORD, startApi } from './support.ts';
import type { ApiFixture } from './support.ts';

let api: ApiFixture;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.close());

const login = (email: string, password: string, address = '198.51.100.1') =>
  api.http().post('/api/v1/auth/login').set('X-Forwarded-For', address).send({ email, password });
const refresh = (token: string) => api.http().post('/api/v1/auth/refresh').send({ refresh_token: token });
const me = (token: string) => api.http().get('/api/v1/auth/me').set('Authorization', `Bearer ${token}`);

describe('POST /api/v1/auth/login', () => {
  it('answers a token set and the user, and no password hash', async () => {
    const answer = await login('Owner@ACME.example', PASSWORD);
    expect(answer.status).toBe(200);
    expect(answer.body.data).toMatchObject({
      token_type: 'Bearer',
      expires_in: 900,
      refresh_token: expect.stringMatching(/^svc_rt_[\w-]{49}$/),
      user: { email: 'owner@acme.example', role: 'owner', client_id: api.acme.clientId, is_active: true },
    });
    expect(answer.text).not.toContain('argon2');
    expect((await me(answer.body.data.access_token)).status).toBe(200);
  });

  it('answers the same 401 for an unknown e-mail, a wrong password and a deactivated user', async () => {
    const tenant = await api.tenant('leavers');
    await api.services.system.query(statement('update users set is_active = false where id = $1'), [
      tenant.users.member.id,
    ]);
    const answers = [
      await login('nobody@acme.example', PASSWORD, '198.51.100.2'),
      await login('owner@acme.example', 'wrong', '198.51.100.2'),
      await login('member@leavers.example', PASSWORD, '198.51.100.2'),
    ];
    for (const answer of answers) expectRefusal(answer, 401, 'UNAUTHORIZED');
    expect(new Set(answers.map((answer) => answer.body.error.message)).size).toBe(1);
    expect(answers[0]!.headers['www-authenticate']).toBe('Bearer');
  });

  it('refuses an account with 429 after 10 failures, the right password included, until 15 minutes have passed', async () => {
    for (let n = 0; n < 10; n += 1) {
      expect((await login('member@acme.example', 'wrong', `203.0.113.${String(n)}`)).status).toBe(401);
    }
    const locked = await login('MEMBER@acme.example', PASSWORD, '203.0.113.99');
    expectRefusal(locked, 429, 'RATE_LIMITED');
    const wait = Number(locked.headers['retry-after']);
    expect(wait).toBeGreaterThan(880);
    expect(wait).toBeLessThanOrEqual(900);
    await api.services.system.query(statement(`update auth_failures set at = at - interval '15 minutes'`));
    expect((await login('member@acme.example', PASSWORD, '203.0.113.99')).status).toBe(200);
  });

  it('refuses an address with 429 after 10 failures over different accounts, and no other address', async () => {
    for (let n = 0; n < 10; n += 1) {
      expect((await login(`guess-${String(n)}@acme.example`, 'wrong', '192.0.2.7')).status).toBe(401);
    }
    expectRefusal(await login('admin@acme.example', PASSWORD, '192.0.2.7'), 429, 'RATE_LIMITED');
    expect((await login('admin@acme.example', PASSWORD, '192.0.2.8')).status).toBe(200);
  });

  it('lets no more than 10 guesses through that are made at the same moment, and counts no right password', async () => {
    expect((await login('auditor@acme.example', PASSWORD, '192.0.2.20')).status).toBe(200);
    const guesses = await Promise.all(
      Array.from({ length: 20 }, (_, n) => login('auditor@acme.example', 'wrong', `192.0.2.${String(n + 20)}`)),
    );
    const statuses = guesses.map(({ status }) => status).sort();
    expect(statuses).toEqual([...Array<number>(10).fill(401), ...Array<number>(10).fill(429)]);
  });

  it.each([
    ['a missing password', { email: 'a@b.example' }, 'BAD_REQUEST', 'password'],
    ['a password of another type', { email: 'a@b.example', password: 1 }, 'BAD_REQUEST', 'password'],
    ['no e-mail address', { email: 'owner', password: 'x' }, 'VALIDATION_ERROR', 'email'],
    ['an unknown field', { email: 'a@b.example', password: 'x', totp: '1' }, 'VALIDATION_ERROR', 'totp'],
  ])('names %s', async (_what, body, code, field) => {
    const answer = await api.http().post('/api/v1/auth/login').send(body);
    expectRefusal(answer, 400, code);
    expect(answer.body.error.details).toEqual([expect.objectContaining({ field })]);
  });
});

describe('POST /api/v1/auth/refresh', () => {
  it('rotates: each answer carries a new pair that works', async () => {
    const first = (await login('owner@acme.example', PASSWORD)).body.data;
    const second = await refresh(first.refresh_token);
    expect(second.status).toBe(200);
    expect(second.body.data.refresh_token).not.toBe(first.refresh_token);
    expect((await me(second.body.data.access_token)).body.data.email).toBe('owner@acme.example');
    expect((await refresh(second.body.data.refresh_token)).status).toBe(200);
  });

  it('revokes the whole family when a token is used twice, and no other session', async () => {
    const other = (await login('owner@acme.example', PASSWORD)).body.data;
    const first = (await login('owner@acme.example', PASSWORD)).body.data;
    const second = (await refresh(first.refresh_token)).body.data;
    expectRefusal(await refresh(first.refresh_token), 401, 'UNAUTHORIZED');
    expectRefusal(await refresh(second.refresh_token), 401, 'UNAUTHORIZED');
    expect((await refresh(other.refresh_token)).status).toBe(200);
  });

  it('lets one of several simultaneous uses win at most', async () => {
    const { refresh_token } = (await login('owner@acme.example', PASSWORD)).body.data;
    const answers = await Promise.all([1, 2, 3, 4].map(() => refresh(refresh_token)));
    expect(answers.map((answer) => answer.status).sort()).toEqual([200, 401, 401, 401]);
  });

  it('refuses a malformed token, one that is 30 days old, and one of a deactivated user', async () => {
    expectRefusal(await refresh('svc_rt_nonsense'), 401, 'UNAUTHORIZED');
    const tenant = await api.tenant('gone');
    const leaving = (await login('owner@gone.example', PASSWORD)).body.data;
    await api.services.system.query(statement('update users set is_active = false where client_id = $1'), [
      tenant.clientId,
    ]);
    expectRefusal(await refresh(leaving.refresh_token), 401, 'UNAUTHORIZED');
    const old = (await login('owner@acme.example', PASSWORD)).body.data;
    api.clock.advance(30 * 86_400);
    expectRefusal(await refresh(old.refresh_token), 401, 'UNAUTHORIZED');
    api.clock.advance(-30 * 86_400);
  });
});

describe('access tokens', () => {
  it('answer TOKEN_EXPIRED once their 15 minutes are over', async () => {
    const token = await api.acme.token();
    api.clock.advance(895);
    expect((await me(token)).status).toBe(200);
    api.clock.advance(6);
    expectRefusal(await me(token), 401, 'TOKEN_EXPIRED');
    api.clock.advance(-901);
  });

  it('answer UNAUTHORIZED when changed, unsigned, missing, or an API key', async () => {
    const token = await api.acme.token();
    const [header = '', payload = '', signature = ''] = token.split('.');
    const claims = JSON.parse(Buffer.from(payload, 'base64url').toString()) as Record<string, unknown>;
    const forged = Buffer.from(JSON.stringify({ ...claims, client_id: api.rival.clientId })).toString('base64url');
    const unsigned = Buffer.from('{"alg":"none","typ":"JWT"}').toString('base64url');
    for (const bad of [`${header}.${forged}.${signature}`, `${unsigned}.${payload}.`, 'x', await api.acme.key()]) {
      expectRefusal(await me(bad), 401, 'UNAUTHORIZED');
    }
    expectRefusal(await api.http().get('/api/v1/auth/me'), 401, 'UNAUTHORIZED');
  });

  it('die with their user', async () => {
    const tenant = await api.tenant('fired');
    await api.services.system.query(statement('update users set is_active = false where id = $1'), [
      tenant.users.admin.id,
    ]);
    expectRefusal(await me(await tenant.token('admin')), 401, 'UNAUTHORIZED');
  });
});

describe('POST /api/v1/auth/logout', () => {
  const logout = (accessToken: string, refreshToken: string) =>
    api
      .http()
      .post('/api/v1/auth/logout')
      .set('Authorization', `bearer ${accessToken}`)
      .send({ refresh_token: refreshToken });

  it('ends the session', async () => {
    const { access_token, refresh_token } = (await login('owner@acme.example', PASSWORD)).body.data;
    expect((await logout(access_token, refresh_token)).body.data).toEqual({ signed_out: true });
    expectRefusal(await refresh(refresh_token), 401, 'UNAUTHORIZED');
  });

  it("does not end another user's session, and needs a token", async () => {
    const victim = (await login('owner@acme.example', PASSWORD)).body.data;
    expect((await logout(await api.rival.token(), victim.refresh_token)).status).toBe(200);
    expect((await refresh(victim.refresh_token)).status).toBe(200);
    expectRefusal(await api.http().post('/api/v1/auth/logout').send({ refresh_token: 'x' }), 401, 'UNAUTHORIZED');
  });
});

it('logs no password, token or hash', () => {
  const log = api.logLines.join('\n');
  expect(log).toContain('"route":"/api/v1/auth/login"');
  for (const secret of [PASSWORD, 'svc_rt_', 'svc_sk_', 'argon2', 'eyJ']) expect(log).not.toContain(secret);
});
