import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { PASSWORD } from './support.ts';
import type { ApiFixture } from './support.ts';
import {
  APPLICATIONS,
  approve,
  claimsOf,
  clientToken,
  isActive,
  post,
  refresh,
  register,
  resourceStatus,
  REVOKE,
  setActive,
  setRole,
  signIn,
  tokenRequest,
  startWithApplications,
} from './oauth-support.ts';
import type { TestApplication } from './oauth-support.ts';

let api: ApiFixture;
let app: TestApplication;
let publicApp: TestApplication;
beforeAll(async () => {
  ({ api, app, publicApp } = await startWithApplications());
});
afterAll(() => api.close());

const twenty = <T>(work: () => Promise<T>): Promise<T[]> => Promise.all(Array.from({ length: 20 }, work));

describe('an authorization code', () => {
  it('used a second time revokes everything that it had issued', async () => {
    const code = await approve(api, app);
    const first = await tokenRequest(api, code, app);
    const { access_token: access, refresh_token: token } = first.body as Record<string, string>;
    expect(await resourceStatus(api, access ?? '')).toBe(404);
    const second = await tokenRequest(api, code, app);
    expect({ status: second.status, error: second.body.error }).toEqual({ status: 400, error: 'invalid_grant' });
    expect(await resourceStatus(api, access ?? '')).toBe(401);
    expect((await refresh(api, app, token ?? '')).body.error).toBe('invalid_grant');
  });

  it('exchanged by 20 at the same time gives exactly one token set, which is revoked then', async () => {
    for (let round = 0; round < 5; round += 1) {
      const code = await approve(api, app);
      const answers = await twenty(() => tokenRequest(api, code, app));
      const good = answers.filter(({ status }) => status === 200);
      expect(good).toHaveLength(1);
      expect(answers.filter(({ body }) => body.error === 'invalid_grant')).toHaveLength(19);
      const { access_token: access, refresh_token: token } = good[0]?.body as {
        access_token: string;
        refresh_token: string;
      };
      expect(await resourceStatus(api, access)).toBe(401);
      expect(await isActive(api, app, access)).toBe(false);
      expect(await isActive(api, app, token)).toBe(false);
    }
  });
});

describe('a refresh token', () => {
  it('is replaced at each use and ends at once', async () => {
    const first = await signIn(api, app);
    const second = await refresh(api, app, first.refresh_token);
    expect(second.status).toBe(200);
    expect(second.body).toMatchObject({ token_type: 'Bearer', expires_in: 900, scope: first.scope });
    expect(second.body.refresh_token).not.toBe(first.refresh_token);
    expect(await isActive(api, app, first.refresh_token)).toBe(false);
    expect(await resourceStatus(api, second.body.access_token as string)).toBe(404);
  });

  it('used twice revokes the whole chain, access tokens included', async () => {
    const first = await signIn(api, app);
    const second = (await refresh(api, app, first.refresh_token)).body as Record<string, string>;
    const third = (await refresh(api, app, second['refresh_token'] ?? '')).body as Record<string, string>;
    expect(await resourceStatus(api, third['access_token'] ?? '')).toBe(404);
    expect((await refresh(api, app, first.refresh_token)).body.error).toBe('invalid_grant');
    for (const { access_token: access } of [first, second, third]) {
      expect(await resourceStatus(api, access)).toBe(401);
    }
    expect((await refresh(api, app, third['refresh_token'] ?? '')).body.error).toBe('invalid_grant');
  });

  it('used by 20 at the same time succeeds once, and its chain is revoked', async () => {
    for (let round = 0; round < 5; round += 1) {
      const { refresh_token: token } = await signIn(api, publicApp);
      const answers = await twenty(() => refresh(api, publicApp, token));
      const good = answers.filter(({ status }) => status === 200);
      expect(good).toHaveLength(1);
      const next = good[0]?.body as { access_token: string; refresh_token: string };
      expect(await resourceStatus(api, next.access_token)).toBe(401);
      expect((await refresh(api, publicApp, next.refresh_token)).body.error).toBe('invalid_grant');
    }
  });

  it('a link added while the chain is revoked does not escape', async () => {
    for (let round = 0; round < 10; round += 1) {
      const first = await signIn(api, app);
      const second = (await refresh(api, app, first.refresh_token)).body as { refresh_token: string };
      const [reused, added] = await Promise.all([
        refresh(api, app, first.refresh_token),
        refresh(api, app, second.refresh_token),
      ]);
      expect(reused.status).toBe(400);
      if (added.status !== 200) continue;
      const third = added.body as { access_token: string; refresh_token: string };
      expect(await resourceStatus(api, third.access_token)).toBe(401);
      expect(await isActive(api, app, third.refresh_token)).toBe(false);
    }
  });

  it('narrows by scope for one access token; the next may have all again, never more', async () => {
    const first = await signIn(api, app);
    const narrow = await refresh(api, app, first.refresh_token, 'openid');
    expect(narrow.body.scope).toBe('openid');
    const wide = await refresh(api, app, narrow.body.refresh_token as string);
    expect(wide.body.scope).toBe(first.scope);
    const more = await refresh(api, app, wide.body.refresh_token as string, 'openid contacts:read');
    expect(more.body.error).toBe('invalid_scope');
    expect((await refresh(api, app, wide.body.refresh_token as string)).status).toBe(200);
  });

  it('belongs to its application: another one neither uses it nor ends it', async () => {
    const { refresh_token: token } = await signIn(api, app);
    const other = await register(api, { name: 'Other' });
    expect((await refresh(api, other, token)).body.error).toBe('invalid_grant');
    const next = await refresh(api, app, token);
    expect((await refresh(api, other, token)).body.error).toBe('invalid_grant');
    expect(await isActive(api, app, next.body.refresh_token as string)).toBe(true);
  });

  it('is nothing to the first-party refresh, nor the reverse', async () => {
    const { refresh_token: token } = await signIn(api, app);
    expect((await api.http().post('/api/v1/auth/refresh').send({ refresh_token: token })).status).toBe(401);
    const login = await api
      .http()
      .post('/api/v1/auth/login')
      .send({ email: 'member@acme.example', password: PASSWORD });
    const firstParty = (login.body.data as { refresh_token: string }).refresh_token;
    expect((await refresh(api, app, firstParty)).body.error).toBe('invalid_grant');
    expect((await post(api, REVOKE, { token: firstParty })).status).toBe(200);
    expect((await api.http().post('/api/v1/auth/refresh').send({ refresh_token: firstParty })).status).toBe(200);
    expect((await refresh(api, app, token)).status).toBe(200);
  });

  it('ends after 30 days, an access token after 15 minutes', async () => {
    const first = await signIn(api, app);
    const other = await signIn(api, app);
    api.clock.advance(899);
    expect(await resourceStatus(api, first.access_token)).toBe(404);
    api.clock.advance(1);
    const expired = await api
      .http()
      .get('/api/v1/vision/results/0b8f5f0e-5d0c-4f4e-9a55-3c1f8f6f2a11')
      .set('Authorization', `Bearer ${first.access_token}`);
    expect(expired.body.error.code).toBe('TOKEN_EXPIRED');
    api.clock.advance(30 * 86_400 - 910);
    expect((await refresh(api, app, first.refresh_token)).status).toBe(200);
    api.clock.advance(20);
    expect((await refresh(api, app, other.refresh_token)).body.error).toBe('invalid_grant');
  });
});

describe('tokens die', () => {
  it('with their application, deleted or switched off', async () => {
    const doomed = await register(api, { name: 'Doomed' });
    const { access_token: access, refresh_token: token } = await signIn(api, doomed);
    const own = await clientToken(api, doomed);
    const path = `${APPLICATIONS}/${String(doomed.id)}`;
    const authorization = `Bearer ${await api.acme.token()}`;
    expect(await resourceStatus(api, access)).toBe(404);
    await api.http().patch(path).set('Authorization', authorization).send({ is_active: false });
    expect([await resourceStatus(api, access), await resourceStatus(api, own)]).toEqual([401, 401]);
    expect((await refresh(api, doomed, token)).body.error).toBe('invalid_client');
    await api.http().patch(path).set('Authorization', authorization).send({ is_active: true });
    expect([await resourceStatus(api, access), await resourceStatus(api, own)]).toEqual([404, 404]);
    await api.http().delete(path).set('Authorization', authorization);
    expect([await resourceStatus(api, access), await resourceStatus(api, own)]).toEqual([401, 401]);
    expect((await refresh(api, doomed, token)).body.error).toBe('invalid_client');
  });

  it('with a user who is deactivated, within a second', async () => {
    const user = api.acme.users.auditor;
    const { access_token: access, refresh_token: token } = await signIn(api, app, { role: 'auditor' });
    const code = await approve(api, app, { role: 'auditor' });
    await setActive(api, user.id, false);
    await new Promise((resolve) => setTimeout(resolve, 1_050));
    expect(await resourceStatus(api, access)).toBe(401);
    expect((await refresh(api, app, token)).body.error).toBe('invalid_grant');
    expect((await tokenRequest(api, code, app)).body.error).toBe('invalid_grant');
    await setActive(api, user.id, true);
  });

  it('with the password that they rest on: changed over HTTP, at once', async () => {
    const { email } = api.acme.users.member;
    const login = await api.http().post('/api/v1/auth/login').send({ email, password: PASSWORD });
    const session = login.body.data as { access_token: string; refresh_token: string };
    const { access_token: access, refresh_token: token } = await signIn(api, app, {
      role: 'member',
      scopes: ['vision:extract'],
    });
    const code = await approve(api, app, { role: 'member' });
    const change = (body: object) =>
      api.http().post('/api/v1/auth/change-password').set('Authorization', `Bearer ${session.access_token}`).send(body);
    const next = 'another long sentence';
    expect((await change({ current_password: 'wrong', new_password: next })).status).toBe(403);
    expect((await change({ current_password: PASSWORD, new_password: PASSWORD })).status).toBe(400);
    expect((await change({ current_password: PASSWORD, new_password: 'short' })).status).toBe(400);
    expect(await resourceStatus(api, access)).toBe(404);
    const changed = await change({ current_password: PASSWORD, new_password: next });
    expect(changed.status).toBe(200);
    expect(await resourceStatus(api, access)).toBe(401);
    expect((await refresh(api, app, token)).body.error).toBe('invalid_grant');
    expect((await tokenRequest(api, code, app)).body.error).toBe('invalid_grant');
    const old = await api.http().post('/api/v1/auth/refresh').send({ refresh_token: session.refresh_token });
    expect(old.status).toBe(401);
    const fresh = changed.body.data as { access_token: string; refresh_token: string };
    expect((await api.http().post('/api/v1/auth/refresh').send({ refresh_token: fresh.refresh_token })).status).toBe(
      200,
    );
    expect((await api.http().post('/api/v1/auth/login').send({ email, password: next })).status).toBe(200);
    expect((await api.http().post('/api/v1/auth/login').send({ email, password: PASSWORD })).status).toBe(401);
    expect(await resourceStatus(api, (await signIn(api, app, { role: 'member' })).access_token)).toBe(404);
  });

  it('scope by scope, with what the user’s role may still grant', async () => {
    const wide = await register(api, { scopes: ['vision:extract', 'contacts:read', 'contacts:write'] });
    const scopes = ['vision:extract', 'contacts:read', 'contacts:write'];
    const { access_token: access, refresh_token: token } = await signIn(api, wide, { role: 'admin', scopes });
    await setRole(api, api.acme.users.admin.id, 'auditor');
    await new Promise((resolve) => setTimeout(resolve, 1_050));
    expect(await resourceStatus(api, access)).toBe(403);
    const next = await refresh(api, wide, token);
    expect(claimsOf(next.body.access_token as string)['scope']).toBe('contacts:read');
    await setRole(api, api.acme.users.admin.id, 'admin');
  });

  it('scope by scope, with what the application still has', async () => {
    const shrinking = await register(api, { scopes: ['vision:extract', 'contacts:read'] });
    const token = await clientToken(api, shrinking);
    expect(await resourceStatus(api, token)).toBe(404);
    await api
      .http()
      .patch(`${APPLICATIONS}/${String(shrinking.id)}`)
      .set('Authorization', `Bearer ${await api.acme.token()}`)
      .send({ scopes: ['contacts:read'] });
    expect(await resourceStatus(api, token)).toBe(403);
  });
});

describe('revocation', () => {
  it('of a refresh token ends its chain, of an access token itself; 200 always', async () => {
    const first = await signIn(api, app);
    expect((await post(api, REVOKE, { token: first.access_token, token_type_hint: 'refresh_token' })).status).toBe(200);
    expect(await resourceStatus(api, first.access_token)).toBe(401);
    const next = await refresh(api, app, first.refresh_token);
    expect(next.status).toBe(200);
    expect((await post(api, REVOKE, { token: next.body.refresh_token as string })).status).toBe(200);
    expect(await resourceStatus(api, next.body.access_token as string)).toBe(401);
    for (const token of ['nonsense', first.access_token, next.body.refresh_token as string, 'a.b.c']) {
      expect((await post(api, REVOKE, { token })).status).toBe(200);
    }
    const json = await api.http().post(REVOKE).send({ token: 'nonsense' });
    expect(json.status).toBe(200);
  });

  it('without token, or with two, is invalid_request', async () => {
    expect((await post(api, REVOKE, {})).body).toMatchObject({ error: 'invalid_request' });
    const twice = await api.http().post(REVOKE).type('form').send('token=a&token=b');
    expect({ status: twice.status, error: twice.body.error }).toEqual({ status: 400, error: 'invalid_request' });
  });
});
