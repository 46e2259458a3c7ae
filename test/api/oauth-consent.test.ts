import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Response } from 'supertest';
import { issueCode } from '../../domain/oauth/index.ts';
import { statement } from '../../platform/db/statement.ts';
import {
  answerOf,
  AUTHORIZE,
  authorizePath,
  CALLBACK,
  CHALLENGE,
  fieldsOf,
  registerApplication,
  TestBrowser,
} from './oauth-pages-support.ts';
import type { TestApplication } from './oauth-pages-support.ts';
import { startApi } from './support.ts';
import type { ApiFixture } from './support.ts';

const owner = 'owner@acme.example';

let api: ApiFixture;
let app: TestApplication;
beforeAll(async () => {
  api = await startApi();
  app = await registerApplication(api, api.acme);
});
afterAll(() => api.close());

const browser = (): TestBrowser => new TestBrowser(api.url);
const issuedCodes = async (): Promise<number> =>
  (await api.services.system.query<{ n: number }>(statement('select count(*) as n from oauth_codes')))[0]!.n;

/** A refusal that sends the browser nowhere, and after which no code exists that did not before. */
async function expectNothingIssued(act: () => Promise<Response>, status: number, text: RegExp): Promise<void> {
  const before = await issuedCodes();
  const answer = await act();
  expect({ status: answer.status, location: answer.headers['location'] }).toEqual({ status, location: undefined });
  expect(answer.text).toMatch(text);
  expect(await issuedCodes()).toBe(before);
}

describe('the handle of a request', () => {
  it('serves one decision: a second one is refused, deny after approve too', async () => {
    const visitor = browser();
    const consent = await visitor.toConsent(authorizePath(app), owner);
    expect(answerOf(await visitor.decide(consent, 'approve')).query['code']).toBeDefined();
    await expectNothingIssued(() => visitor.decide(consent, 'approve'), 400, /answered already/);
    await expectNothingIssued(() => visitor.decide(consent, 'deny'), 400, /answered already/);
  });

  it('gives one code to 20 simultaneous approvals', async () => {
    const visitor = browser();
    const consent = await visitor.toConsent(authorizePath(app), owner);
    const before = await issuedCodes();
    const answers = await Promise.all(Array.from({ length: 20 }, () => visitor.decide(consent, 'approve')));
    expect(answers.map(({ status }) => status).sort()).toEqual([303, ...Array<number>(19).fill(400)]);
    expect(await issuedCodes()).toBe(before + 1);
  });

  it('is bound to its session: another browser of the same user can neither see nor approve it', async () => {
    const victim = browser();
    await victim.toConsent(authorizePath(app), owner);
    const csrf = fieldsOf((await victim.get('/logout')).text, '/logout')['csrf_token']!;
    const attacker = browser();
    const { request = '' } = fieldsOf((await attacker.toConsent(authorizePath(app), owner)).text, AUTHORIZE);
    await expectNothingIssued(() => victim.get(`/consent?request=${request}`), 400, /expired or was answered/);
    const fields = { request, csrf_token: csrf, decision: 'approve' };
    await expectNothingIssued(() => victim.post(AUTHORIZE, fields), 400, /expired or was answered/);
  });

  it('does not pass the login: one that waits for it can not be decided by a session that is there already', async () => {
    const visitor = browser();
    await visitor.toConsent(authorizePath(app), owner);
    const csrf_token = fieldsOf((await visitor.get('/logout')).text, '/logout')['csrf_token']!;
    const toLogin = (await visitor.get(authorizePath(app, { prompt: 'login' }))).headers['location']!;
    const request = new URL(toLogin, api.url).searchParams.get('request')!;
    const fields = { request, csrf_token, decision: 'approve' };
    await expectNothingIssued(() => visitor.post(AUTHORIZE, fields), 400, /expired or was answered/);
    await expectNothingIssued(() => visitor.get(`/consent?request=${request}`), 400, /expired or was answered/);
  });

  it('is over after 10 minutes, before the login and after it', async () => {
    const visitor = browser();
    const consent = await visitor.toConsent(authorizePath(app), owner);
    const waiting = browser();
    const login = await waiting.follow(await waiting.get(authorizePath(app)));
    api.clock.advance(599);
    expect((await visitor.get(`/consent?request=${fieldsOf(consent.text, AUTHORIZE)['request']!}`)).status).toBe(200);
    api.clock.advance(2);
    await expectNothingIssued(() => visitor.decide(consent, 'approve'), 400, /expired/);
    await expectNothingIssued(() => waiting.logIn(login, owner), 400, /expired/);
  });

  it.each(['', 'x', `${'0'.repeat(8)}-0000-0000-0000-${'0'.repeat(12)}.${'A'.repeat(43)}`, 'a\0b'])(
    'can not be made up: %j',
    async (request) => {
      const visitor = browser();
      const fields = fieldsOf((await visitor.toConsent(authorizePath(app), owner)).text, AUTHORIZE);
      const decision = { ...fields, request, decision: 'approve' };
      await expectNothingIssued(() => visitor.post(AUTHORIZE, decision), 400, /expired or was answered/);
    },
  );
});

describe('the decision', () => {
  it('counts only with the session’s csrf_token, and the request stays open', async () => {
    const visitor = browser();
    const consent = await visitor.toConsent(authorizePath(app), owner);
    const { request = '' } = fieldsOf(consent.text, AUTHORIZE);
    for (const csrf_token of ['', 'x', fieldsOf((await browser().get('/login')).text, '/login')['csrf_token']!]) {
      const fields = { request, csrf_token, decision: 'approve' };
      await expectNothingIssued(() => visitor.post(AUTHORIZE, fields), 403, /no longer valid/);
    }
    expect((await visitor.decide(consent, 'approve')).status).toBe(303);
  });

  it('is approve or deny; anything else, and both at once, is refused', async () => {
    const visitor = browser();
    const consent = await visitor.toConsent(authorizePath(app), owner);
    for (const decision of ['', 'yes', 'Approve'])
      await expectNothingIssued(() => visitor.decide(consent, decision), 400, /approve or deny/);
    const fields = new URLSearchParams(fieldsOf(consent.text, AUTHORIZE)).toString();
    const both = `${fields}&decision=deny&decision=approve`;
    await expectNothingIssued(() => visitor.post(AUTHORIZE, both), 400, /once only/);
  });

  it('needs a session', async () => {
    const visitor = browser();
    const consent = await visitor.toConsent(authorizePath(app), owner);
    visitor.cookies.clear();
    await expectNothingIssued(() => visitor.decide(consent, 'approve'), 403, /no longer signed in/);
  });

  it('is refused when the application was deleted meanwhile, or lost the redirect_uri', async () => {
    for (const change of ['deleted_at = now()', `redirect_uris = '{https://other.example/}'`]) {
      const shortLived = await registerApplication(api, api.acme);
      const visitor = browser();
      const consent = await visitor.toConsent(authorizePath(shortLived), owner);
      await api.services.system.query(statement(`update oauth_applications set ${change} where id = $1`), [
        shortLived.id,
      ]);
      await expectNothingIssued(() => visitor.decide(consent, 'approve'), 400, /no longer registered/);
    }
  });

  it('gives no more than the application and the user have at that moment', async () => {
    const tenant = await api.tenant('shrunk');
    const shrunk = await registerApplication(api, tenant);
    const visitor = browser();
    const consent = await visitor.toConsent(authorizePath(shrunk), tenant.users.owner.email);
    await api.services.system.query(statement(`update oauth_applications set scopes = '{openid}' where id = $1`), [
      shrunk.id,
    ]);
    expect(answerOf(await visitor.decide(consent, 'approve')).query).toMatchObject({ error: 'invalid_scope' });
  });
});

describe('who decides', () => {
  it('is a user of the application’s own client: another may only switch accounts', async () => {
    const visitor = browser();
    const refused = await visitor.toConsent(authorizePath(app), 'owner@rival.example');
    expect(refused.status).toBe(403);
    expect(refused.text).toContain('belongs to another organisation');
    const fields = fieldsOf(refused.text, '/logout');
    const decision = { ...fields, decision: 'approve' };
    await expectNothingIssued(() => visitor.post(AUTHORIZE, decision), 403, /another organisation/);
    const login = await visitor.follow(await visitor.post('/logout', fields));
    expect(login.text).toContain('Field Notes');
    const consent = await visitor.follow(await visitor.logIn(login, owner));
    expect(answerOf(await visitor.decide(consent, 'approve')).query['code']).toBeDefined();
  });

  it('can change the account from the consent page, and the request goes on', async () => {
    const visitor = browser();
    const consent = await visitor.toConsent(authorizePath(app), owner);
    const login = await visitor.follow(await visitor.post('/logout', fieldsOf(consent.text, '/logout')));
    const second = await visitor.follow(await visitor.logIn(login, 'admin@acme.example'));
    expect(second.text).toContain('admin@acme.example');
    expect((await visitor.decide(second, 'approve')).status).toBe(303);
  });

  it.each([
    ['prompt=login', { prompt: 'login' }],
    ['prompt=select_account', { prompt: 'select_account consent' }],
    ['max_age=0', { max_age: '0' }],
  ])('signs in anew for %s', async (_what, changes) => {
    const visitor = browser();
    await visitor.toConsent(authorizePath(app), owner);
    api.clock.advance(1);
    const login = await visitor.follow(await visitor.get(authorizePath(app, changes)));
    expect(login.text).toContain('<h1>Sign in</h1>');
    const consent = await visitor.follow(await visitor.logIn(login, owner));
    expect((await visitor.decide(consent, 'approve')).status).toBe(303);
  });

  it('need not while the sign-in is within max_age, and login_hint stands in the form', async () => {
    const visitor = browser();
    const login = await visitor.follow(await visitor.get(authorizePath(app, { login_hint: 'me"><b>@acme.example' })));
    expect(login.text).toContain('value="me&quot;&gt;&lt;b&gt;@acme.example"');
    await visitor.logIn(login, owner);
    api.clock.advance(60);
    expect((await visitor.get(authorizePath(app, { max_age: '90' }))).headers['location']).toMatch(/^\/consent/);
    expect((await visitor.get(authorizePath(app, { max_age: '30' }))).headers['location']).toMatch(/^\/login/);
  });
});

describe('the consent page', () => {
  it('shows a hostile application name as text', async () => {
    const hostile = await registerApplication(api, api.acme, {
      name: '<img src=x onerror=alert(1)>"\'&</title><script>',
      redirectUris: ['https://app.example/callback'],
    });
    const visitor = browser();
    const login = await visitor.follow(await visitor.get(authorizePath(hostile)));
    const consent = await visitor.follow(await visitor.logIn(login, owner));
    for (const page of [login, consent]) {
      expect(page.text).toContain('&lt;img src=x onerror=alert(1)&gt;&quot;&#39;&amp;&lt;/title&gt;&lt;script&gt;');
      expect(page.text).not.toMatch(/<img|<script/);
    }
  });

  it.each([
    ['https://app.example/callback', "form-action 'self' https://app.example;"],
    ['http://127.0.0.1:4000/cb', "form-action 'self' http://127.0.0.1:4000;"],
    ['http://[::1]:4000/cb', "form-action 'self' http:;"],
    ['com.example.app:/cb', "form-action 'self' com.example.app:;"],
    ["https://a;script-src'*'.example/cb", "form-action 'self' https:;"],
  ])('lets its form lead to itself and to %s only', async (uri, policy) => {
    const application = await registerApplication(api, api.acme, { redirectUris: [uri] });
    const consent = await browser().toConsent(authorizePath(application, { redirect_uri: uri }), owner);
    expect(consent.headers['content-security-policy']).toContain(policy);
    expect(consent.headers['content-security-policy']).not.toContain('script-src');
  });
});

describe('the audit trail', () => {
  const noted = (applicationId: number) =>
    api.services.system.query(
      statement(`select client_id, actor_type, actor_id, action, address, details from audit_entries
        where subject_type = 'oauth_application' and subject_id = $1 order by id`),
      [String(applicationId)],
    );

  it('has who approved and who denied what, from where, once each', async () => {
    const application = await registerApplication(api, api.acme);
    const visitor = browser();
    const consent = await visitor.toConsent(authorizePath(application), owner);
    await Promise.all(Array.from({ length: 5 }, () => visitor.decide(consent, 'approve')));
    await visitor.decide(await visitor.follow(await visitor.get(authorizePath(application))), 'deny');
    const entry = {
      client_id: api.acme.clientId,
      actor_type: 'user',
      actor_id: String(api.acme.users.owner.id),
      address: visitor.address,
      details: { scopes: ['openid', 'work_items:read'], redirect_uri: CALLBACK },
    };
    expect(await noted(application.id)).toEqual([
      { ...entry, action: 'oauth_application.approved' },
      { ...entry, action: 'oauth_application.denied' },
    ]);
  });

  it('and the code are one: when an approval can not be noted there is no code', async () => {
    const { id } = await registerApplication(api, api.acme);
    const before = await issuedCodes();
    const grant = {
      application: { id, clientId: api.acme.clientId },
      userId: api.acme.users.owner.id,
      redirectUri: CALLBACK,
      scopes: ['openid'],
      codeChallenge: CHALLENGE,
      authenticatedAt: new Date(),
    };
    // PostgreSQL holds no NUL in a text: the note fails, after the code was written.
    await expect(issueCode(api.services.system, { ...grant, address: '\0' }, Date.now())).rejects.toThrow();
    expect(await issuedCodes()).toBe(before);
    await issueCode(api.services.system, { ...grant, address: null }, Date.now());
    expect(await issuedCodes()).toBe(before + 1);
  });

  it('has nothing of a decision that did not count', async () => {
    const application = await registerApplication(api, api.acme);
    const visitor = browser();
    const consent = await visitor.toConsent(authorizePath(application), owner);
    await visitor.post(AUTHORIZE, { ...fieldsOf(consent.text, AUTHORIZE), csrf_token: 'x', decision: 'approve' });
    expect(await noted(application.id)).toEqual([]);
  });
});

it('keeps no more than 120 requests a minute of one address, and tells it by a page', async () => {
  const visitor = browser();
  const answers = await Promise.all(Array.from({ length: 40 }, () => visitor.get(authorizePath(app))));
  const refused = answers.filter(({ status }) => status === 429);
  expect(refused.length).toBeGreaterThan(0);
  expect(refused[0]!.text).toContain('Too many requests');
  expect(refused[0]!.headers['retry-after']).toBe('1');
  expect((await browser().get(authorizePath(app))).status).toBe(303);
});
