import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Response } from 'supertest';
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
  VERIFIER,
} from './oauth-pages-support.ts';
import type { TestApplication } from './oauth-pages-support.ts';
import { expectRefusal, startApi } from './support.ts';
import type { ApiFixture } from './support.ts';

let api: ApiFixture;
let app: TestApplication;
beforeAll(async () => {
  api = await startApi();
  app = await registerApplication(api, api.acme);
});
afterAll(() => api.close());

const browser = (): TestBrowser => new TestBrowser(api.url);
const owner = 'owner@acme.example';

function expectErrorPage(answer: Response, status: number, text: string | RegExp): void {
  expect(answer.status).toBe(status);
  expect(answer.headers['location']).toBeUndefined();
  expect(answer.headers['content-type']).toBe('text/html; charset=utf-8');
  expect(answer.text).toMatch(text);
  expect(answer.text).toContain(`<code>${answer.headers['x-request-id']!}</code>`);
}

function expectError(answer: Response, error: string, description: RegExp): void {
  expect({ status: answer.status, body: answer.text }).toEqual({ status: 303, body: '' });
  const { target, query } = answerOf(answer);
  expect(target).toBe(CALLBACK);
  expect(query).toMatchObject({ error, iss: api.url });
  expect(query['error_description']).toMatch(description);
  expect(query['error_description']).toMatch(/^[\x20-\x21\x23-\x5b\x5d-\x7e]+$/);
  expect(query['code']).toBeUndefined();
}

describe('the whole flow', () => {
  it('goes by login and consent to the redirect_uri with code, state and iss', async () => {
    const visitor = browser();
    const start = await visitor.get(authorizePath(app));
    expect(start.status).toBe(303);
    expect(start.headers['location']).toMatch(/^\/login\?request=[\w.-]+$/);
    const login = await visitor.get(start.headers['location']!);
    expect(login.status).toBe(200);
    expect(login.text).toContain('Field Notes');
    const loggedIn = await visitor.logIn(login, owner);
    expect(loggedIn.headers['location']).toMatch(/^\/consent\?request=[\w.-]+$/);
    const consent = await visitor.get(loggedIn.headers['location']!);
    expect(consent.text).toContain('Know who you are');
    expect(consent.text).toContain('Read work items, their relationships');
    expect(consent.text).toContain('app.example');
    expect(consent.text).toContain(owner);
    const answer = await visitor.decide(consent, 'approve');
    expect({ status: answer.status, body: answer.text }).toEqual({ status: 303, body: '' });
    expect(answerOf(answer)).toEqual({
      target: CALLBACK,
      query: { code: expect.stringMatching(/^svc_ac_[\w-]{49}$/), state: 'xyz', iss: api.url },
    });
  });

  it('gives a code that its verifier exchanges for tokens of this user', async () => {
    const visitor = browser();
    const consent = await visitor.toConsent(authorizePath(app, { scope: 'openid profile', nonce: 'n-2' }), owner);
    const { code = '' } = answerOf(await visitor.decide(consent, 'approve')).query;
    const exchange = { grant_type: 'authorization_code', code, redirect_uri: CALLBACK, code_verifier: VERIFIER };
    const tokens = await api
      .http()
      .post('/api/v1/oauth/token')
      .type('form')
      .send({ ...exchange, client_id: app.clientId });
    expect(tokens.body).toMatchObject({ token_type: 'Bearer', expires_in: 900, scope: 'openid profile' });
    const [, claims = ''] = (tokens.body.id_token as string).split('.');
    expect(JSON.parse(Buffer.from(claims, 'base64url').toString())).toMatchObject({ nonce: 'n-2', iss: api.url });
    const me = await api.http().get('/api/v1/oauth/userinfo').auth(tokens.body.access_token, { type: 'bearer' });
    expect(me.body).toMatchObject({ sub: String(api.acme.users.owner.id), name: 'owner' });
  });

  it('keeps with the code what the exchange is held against', async () => {
    const visitor = browser();
    const consent = await visitor.toConsent(authorizePath(app, { nonce: 'n-1' }), owner);
    await visitor.decide(consent, 'approve');
    const [row] = await api.services.system.query(
      statement('select * from oauth_codes where nonce = $1 order by created_at desc'),
      ['n-1'],
    );
    expect(row).toMatchObject({
      client_id: api.acme.clientId,
      application_id: app.id,
      user_id: api.acme.users.owner.id,
      redirect_uri: CALLBACK,
      scopes: ['openid', 'work_items:read'],
      code_challenge: CHALLENGE,
      authenticated_at: expect.any(Date),
    });
  });

  it('asks no login of who is signed in, and tells a denial by access_denied', async () => {
    const visitor = browser();
    await visitor.toConsent(authorizePath(app), owner);
    const again = await visitor.get(authorizePath(app, { state: 'second' }));
    expect(again.headers['location']).toMatch(/^\/consent\?/);
    const answer = await visitor.decide(await visitor.follow(again), 'deny');
    expectError(answer, 'access_denied', /denied/);
    expect(answerOf(answer).query['state']).toBe('second');
  });

  it('takes the decision as JSON too, and answers its errors in the envelope', async () => {
    const visitor = browser();
    const fields = fieldsOf((await visitor.toConsent(authorizePath(app), owner)).text, AUTHORIZE);
    expectRefusal(await visitor.postJson(AUTHORIZE, { ...fields, decision: 'maybe' }), 400, 'BAD_REQUEST');
    expectRefusal(
      await visitor.postJson(AUTHORIZE, { ...fields, csrf_token: 'x', decision: 'approve' }),
      403,
      'FORBIDDEN',
    );
    expectRefusal(await visitor.postJson(AUTHORIZE, { ...fields, decision: ['approve'] }), 400, 'BAD_REQUEST');
    const answer = await visitor.postJson(AUTHORIZE, { ...fields, decision: 'approve' });
    expect(answerOf(answer).query['code']).toMatch(/^svc_ac_/);
    expectRefusal(await visitor.postJson(AUTHORIZE, { ...fields, decision: 'approve' }), 400, 'BAD_REQUEST');
  });
});

describe('a wrong client_id or redirect_uri shows a page and never redirects', () => {
  const duplicate = (name: string): string => `${authorizePath(app)}&${name}=again`;
  it.each([
    ['no client_id', () => authorizePath(app, { client_id: null }), /client_id is missing/],
    ['an empty client_id', () => authorizePath(app, { client_id: '' }), /client_id is missing/],
    ['an unknown client_id', () => authorizePath(app, { client_id: 'svc_oa_nobody' }), /not that of a registered/],
    ['a client_id with a NUL', () => authorizePath(app, { client_id: 'svc_oa_\0' }), /not that of a registered/],
    ['client_id twice', () => duplicate('client_id'), /client_id was sent more than once/],
    ['no redirect_uri', () => authorizePath(app, { redirect_uri: null }), /redirect_uri is missing/],
    ['redirect_uri twice', () => duplicate('redirect_uri'), /redirect_uri was sent more than once/],
    ['another host', () => authorizePath(app, { redirect_uri: 'https://evil.example/callback' }), /has registered/],
    ['a path below', () => authorizePath(app, { redirect_uri: `${CALLBACK}/more` }), /has registered/],
    ['a query more', () => authorizePath(app, { redirect_uri: `${CALLBACK}?next=1` }), /has registered/],
    ['a fragment', () => authorizePath(app, { redirect_uri: `${CALLBACK}#x` }), /has registered/],
    ['another case', () => authorizePath(app, { redirect_uri: 'https://APP.example/callback' }), /has registered/],
    ['userinfo', () => authorizePath(app, { redirect_uri: 'https://app.example@evil.example/callback' }), /registered/],
    ['http for https', () => authorizePath(app, { redirect_uri: 'http://app.example/callback' }), /has registered/],
    ['a script', () => authorizePath(app, { redirect_uri: 'javascript:alert(1)' }), /has registered/],
    ['a line break', () => authorizePath(app, { redirect_uri: `${CALLBACK}\r\nSet-Cookie: a=b` }), /has registered/],
  ])('%s', async (_what, path, text) => {
    expectErrorPage(await browser().get(path()), 400, text);
  });

  it('a deleted and an inactive application', async () => {
    for (const change of ['deleted_at = now()', 'is_active = false']) {
      const gone = await registerApplication(api, api.acme);
      await api.services.system.query(statement(`update oauth_applications set ${change} where id = $1`), [gone.id]);
      expectErrorPage(await browser().get(authorizePath(gone)), 400, /not that of a registered/);
    }
  });
});

describe('every other fault is told to the application, with state and iss', () => {
  const twice = (path: string, pair: string): string => `${path}&${pair}`;
  it.each<[string, () => string, string, RegExp]>([
    ['no response_type', () => authorizePath(app, { response_type: null }), 'invalid_request', /response_type/],
    ['the implicit grant', () => authorizePath(app, { response_type: 'token' }), 'unsupported_response_type', /code/],
    [
      'the hybrid flow',
      () => authorizePath(app, { response_type: 'code id_token' }),
      'unsupported_response_type',
      /code/,
    ],
    ['no scope', () => authorizePath(app, { scope: null }), 'invalid_request', /scope is missing/],
    ['a scope of spaces', () => authorizePath(app, { scope: ' ' }), 'invalid_scope', /nothing/],
    ['a scope beyond the application', () => authorizePath(app, { scope: 'contacts:read' }), 'invalid_scope', /scope/],
    ['an unknown scope', () => authorizePath(app, { scope: 'openid "><script>' }), 'invalid_scope', /scope/],
    ['no code_challenge', () => authorizePath(app, { code_challenge: null }), 'invalid_request', /PKCE is required/],
    ['a short challenge', () => authorizePath(app, { code_challenge: 'x'.repeat(42) }), 'invalid_request', /43 to 128/],
    ['a long challenge', () => authorizePath(app, { code_challenge: 'x'.repeat(129) }), 'invalid_request', /43 to 128/],
    ['a challenge of +', () => authorizePath(app, { code_challenge: '+'.repeat(43) }), 'invalid_request', /43 to 128/],
    ['no method', () => authorizePath(app, { code_challenge_method: null }), 'invalid_request', /S256/],
    ['the method plain', () => authorizePath(app, { code_challenge_method: 'plain' }), 'invalid_request', /S256/],
    [
      'scope twice',
      () => twice(authorizePath(app), 'scope=openid'),
      'invalid_request',
      /scope was sent more than once/,
    ],
    ['an unknown parameter twice', () => twice(authorizePath(app), 'a=1&a=2'), 'invalid_request', /a was sent more/],
    ['a fragment response', () => authorizePath(app, { response_mode: 'fragment' }), 'invalid_request', /query/],
    ['a posted response', () => authorizePath(app, { response_mode: 'form_post' }), 'invalid_request', /query/],
    ['request', () => authorizePath(app, { request: 'e30.e30.' }), 'request_not_supported', /request/],
    ['request_uri', () => authorizePath(app, { request_uri: 'https://a.example' }), 'request_uri_not_supported', /uri/],
    ['an unknown prompt', () => authorizePath(app, { prompt: 'create' }), 'invalid_request', /prompt/],
    ['prompt none and more', () => authorizePath(app, { prompt: 'none login' }), 'invalid_request', /alone/],
    ['prompt none, no session', () => authorizePath(app, { prompt: 'none' }), 'login_required', /sign in/],
    ['a max_age of words', () => authorizePath(app, { max_age: '-1' }), 'invalid_request', /max_age/],
    ['a long nonce', () => authorizePath(app, { nonce: 'n'.repeat(513) }), 'invalid_request', /nonce/],
    ['a nonce with NUL', () => authorizePath(app, { nonce: 'n\0' }), 'invalid_request', /nonce/],
  ])('%s', async (_what, path, error, description) => {
    const answer = await browser().get(path());
    expectError(answer, error, description);
    expect(answerOf(answer).query['state']).toBe('xyz');
  });

  it('names unauthorized_client where the application may not use codes', async () => {
    const machine = await registerApplication(api, api.acme);
    await api.services.system.query(
      statement(`update oauth_applications set grant_types = '{client_credentials}' where id = $1`),
      [machine.id],
    );
    expectError(await browser().get(authorizePath(machine)), 'unauthorized_client', /authorization_code/);
  });

  it.each([
    ['is sent twice', `&state=other`, null],
    ['is over 2048 characters', '', 'x'.repeat(2049)],
    ['has control characters', '', 'a\r\nSet-Cookie: session=evil'],
  ])('returns no state that %s', async (_what, suffix, state) => {
    const path = authorizePath(app, state === null ? {} : { state });
    const answer = await browser().get(`${path}${suffix}`);
    expectError(answer, 'invalid_request', /state/);
    expect(answerOf(answer).query).not.toHaveProperty('state');
    expect(answer.headers['set-cookie']).toBeUndefined();
  });

  it('refuses scopes that the role of the user may not grant: known session, and fresh login', async () => {
    const visitor = browser();
    const path = authorizePath(app, { scope: 'openid invoices:write' });
    expectError(await visitor.toConsent(path, 'member@acme.example'), 'invalid_scope', /user may not grant/);
    expectError(await visitor.get(path), 'invalid_scope', /user may not grant/);
    expect((await browser().toConsent(path, owner)).status).toBe(200);
  });

  it('answers prompt none with interaction_required where the user is signed in', async () => {
    const visitor = browser();
    await visitor.toConsent(authorizePath(app), owner);
    expectError(await visitor.get(authorizePath(app, { prompt: 'none' })), 'interaction_required', /consent/);
  });
});

describe('parameters that are in order', () => {
  it('uses the default scopes of an application that has them', async () => {
    const generic = await registerApplication(api, api.acme, { defaultScopes: ['profile'] });
    const consent = await browser().toConsent(authorizePath(generic, { scope: null }), owner);
    expect(consent.text).toContain('<code>profile</code>');
    expect(consent.text).not.toContain('work_items:read');
  });

  it('returns a state of any other characters unchanged', async () => {
    const state = `a&b=c#d%20 "<script>' é 漢 \\ 🎈+`;
    const visitor = browser();
    const answer = await visitor.decide(await visitor.toConsent(authorizePath(app, { state }), owner), 'approve');
    expect(answerOf(answer).query['state']).toBe(state);
  });

  it('sends no state where none came', async () => {
    const visitor = browser();
    const consent = await visitor.toConsent(authorizePath(app, { state: null }), owner);
    expect(Object.keys(answerOf(await visitor.decide(consent, 'approve')).query)).toEqual(['code', 'iss']);
  });

  it.each([
    ['http://127.0.0.1/cb', 'http://127.0.0.1:49152/cb'],
    ['http://[::1]:8080/cb', 'http://[::1]:49152/cb'],
    ['http://localhost:3000/cb', 'http://localhost/cb'],
    ['http://127.0.0.1/cb?a=1', 'http://127.0.0.1:5/cb?a=1'],
  ])('takes any port on loopback: %s as %s', async (registered, asked) => {
    const native = await registerApplication(api, api.acme, { redirectUris: [registered] });
    const visitor = browser();
    const consent = await visitor.toConsent(authorizePath(native, { redirect_uri: asked }), owner);
    const answer = await visitor.decide(consent, 'approve');
    expect(answer.headers['location']!.startsWith(`${asked}${asked.includes('?') ? '&' : '?'}code=svc_ac_`)).toBe(true);
  });

  it.each([
    'http://127.0.0.1:99999/cb',
    'http://127.0.0.1:1@evil.example/cb',
    'http://127.0.0.2:1/cb',
    'http://127.0.0.1:1/cb/x',
  ])('takes no other loopback address for a registered one: %s', async (asked) => {
    const native = await registerApplication(api, api.acme, { redirectUris: ['http://127.0.0.1/cb'] });
    expectErrorPage(await browser().get(authorizePath(native, { redirect_uri: asked })), 400, /has registered/);
  });

  it('keeps the query of a registered redirect_uri, and serves private-use schemes', async () => {
    for (const uri of ['https://app.example/cb?tenant=a%20b&x', 'com.example.app:/cb']) {
      const application = await registerApplication(api, api.acme, { redirectUris: [uri] });
      const visitor = browser();
      const consent = await visitor.toConsent(authorizePath(application, { redirect_uri: uri }), owner);
      const answer = await visitor.decide(consent, 'deny');
      expect(answer.headers['location']).toMatch(/[?&]error=access_denied&error_description=[^&]+&state=xyz&iss=/);
      expect(answer.headers['location']!.startsWith(`${uri}${uri.includes('?') ? '&' : '?'}`)).toBe(true);
    }
  });
});
