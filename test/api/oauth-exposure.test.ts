import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { statement } from '../../platform/db/statement.ts';
import { PASSWORD, startApi } from './support.ts';
import type { ApiFixture } from './support.ts';
import {
  answerOf,
  AUTHORIZE,
  authorizePath,
  registerApplication,
  TestBrowser,
  VERIFIER,
} from './oauth-pages-support.ts';
import {
  clientToken,
  INTROSPECT,
  post,
  refresh,
  register,
  RESOURCE,
  REVOKE,
  signIn,
  USERINFO,
} from './oauth-support.ts';
import type { TestApplication } from './oauth-support.ts';

const owner = 'owner@acme.example';

let api: ApiFixture;
let app: TestApplication;
beforeAll(async () => {
  api = await startApi({ RATE_LIMIT_DISABLED: 'true' });
  app = await register(api);
});
afterAll(() => api.close());

describe('an access token', () => {
  it('counts in the Authorization header only: in an address it would end up in histories and logs', async () => {
    const token = await clientToken(api, app);
    for (const path of [RESOURCE, USERINFO]) {
      expect((await api.http().get(`${path}?access_token=${token}`)).status).toBe(401);
    }
    expect((await api.http().post(USERINFO).type('form').send({ access_token: token })).status).toBe(401);
  });

  it('of an application can not be taken for one of a user, nor the reverse', async () => {
    const own = (
      await api
        .http()
        .get(USERINFO)
        .auth(await clientToken(api, app), { type: 'bearer' })
    ).body;
    const { access_token: token } = await signIn(api, app);
    const ofUser = (await api.http().get(USERINFO).auth(token, { type: 'bearer' })).body;
    expect(own.sub).toMatch(/^svc_oa_/);
    expect(ofUser.sub).toMatch(/^\d+$/);
  });
});

describe('an answer that leads away', () => {
  it('is a 303 without a body and with no-referrer, after approval, denial and error alike', async () => {
    const application = await registerApplication(api, api.acme);
    const visitor = new TestBrowser(api.url);
    const approved = await visitor.decide(await visitor.toConsent(authorizePath(application), owner), 'approve');
    const consent = await visitor.follow(await visitor.get(authorizePath(application)));
    const denied = await visitor.decide(consent, 'deny');
    const wrong = await visitor.get(authorizePath(application, { scope: 'unknown' }));
    for (const answer of [approved, denied, wrong]) {
      expect({ status: answer.status, body: answer.text }).toEqual({ status: 303, body: '' });
      expect(answer.headers).toMatchObject({ 'referrer-policy': 'no-referrer', 'cache-control': 'no-store' });
      expect(Object.keys(answerOf(answer).query)).toContain('iss');
    }
  });

  it('goes nowhere that a parameter of a page names', async () => {
    const visitor = new TestBrowser(api.url);
    const targets = ['next', 'continue', 'return_to', 'redirect', 'redirect_uri', 'url'];
    const query = new URLSearchParams(
      targets.map((name): [string, string] => [name, 'https://evil.example/']),
    ).toString();
    for (const path of ['/login', '/logout']) {
      const answer = await visitor.get(`${path}?${query}`);
      expect(answer.headers['location']).toBeUndefined();
      expect(answer.text).not.toContain('evil.example');
    }
  });
});

describe('secrets', () => {
  it('are neither in the logs nor in the database as they are', async () => {
    const secrets = [app.client_secret ?? '', PASSWORD, VERIFIER];
    const application = await registerApplication(api, api.acme);
    const visitor = new TestBrowser(api.url);
    const answer = await visitor.decide(await visitor.toConsent(authorizePath(application), owner), 'approve');
    secrets.push(answerOf(answer).query['code'] ?? '', ...visitor.cookies.values());
    const tokens = await signIn(api, app);
    const next = (await refresh(api, app, tokens.refresh_token)).body as typeof tokens;
    secrets.push(tokens.access_token, tokens.refresh_token, next.access_token, next.refresh_token);
    secrets.push(await clientToken(api, app));
    await post(api, INTROSPECT, { token: next.access_token }, app);
    await post(api, REVOKE, { token: next.refresh_token });
    await visitor.get(`${AUTHORIZE}?client_id=${app.client_secret ?? ''}`);
    expect(secrets.filter((secret) => secret.length < 10)).toEqual([]);
    const logs = api.logLines.join('\n');
    const rows = await contentOf(['oauth_codes', 'oauth_access_tokens', 'refresh_tokens', 'browser_sessions']);
    const more = await contentOf(['oauth_applications', 'oauth_authorization_requests', 'audit_entries']);
    for (const secret of secrets) {
      expect(logs.includes(secret)).toBe(false);
      // Columns of bytes show as hexadecimal digits.
      const written = [secret, Buffer.from(secret).toString('hex')];
      expect(written.some((form) => `${rows}${more}`.includes(form))).toBe(false);
    }
  });
});

async function contentOf(tables: readonly string[]): Promise<string> {
  const texts = await Promise.all(
    tables.map((table) => api.services.system.query(statement(`select t::text as text from ${table} t`))),
  );
  return JSON.stringify(texts);
}
