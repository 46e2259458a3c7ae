import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Response } from 'supertest';
import type { ApiFixture } from './support.ts';
import {
  approve,
  claimsOf,
  clientToken,
  headerOf,
  register,
  resourceStatus,
  signIn,
  TOKEN,
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

function basic(id: string, secret: string): string {
  const encode = (text: string): string => encodeURIComponent(text);
  return `Basic ${Buffer.from(`${encode(id)}:${encode(secret)}`).toString('base64')}`;
}

/** RFC 6749 §5.2, to the letter, and the request's id. */
function expectError(answer: Response, status: number, error: string): void {
  expect({ status: answer.status, error: answer.body.error }).toEqual({ status, error });
  expect(Object.keys(answer.body as object).sort()).toEqual(['error', 'error_description', 'request_id']);
  expect(answer.body.request_id).toBe(answer.headers['x-request-id']);
  expect(answer.body.error_description).toMatch(/^[\x20-\x21\x23-\x5b\x5d-\x7e]+$/);
  expect(answer.headers['cache-control']).toBe('no-store');
  expect(answer.headers['pragma']).toBe('no-cache');
}

describe('a code exchange', () => {
  it('answers with exactly what RFC 6749 §5.1 has, not to be cached', async () => {
    const answer = await tokenRequest(api, await approve(api, app), app);
    expect(answer.status).toBe(200);
    expect(answer.headers['cache-control']).toBe('no-store');
    expect(answer.headers['pragma']).toBe('no-cache');
    expect(answer.body).toEqual({
      access_token: expect.any(String),
      token_type: 'Bearer',
      expires_in: 900,
      scope: 'openid profile email vision:extract',
      refresh_token: expect.stringMatching(/^svc_rt_/),
      id_token: expect.any(String),
    });
  });

  it('takes JSON too', async () => {
    const fields = { ...(await approve(api, app)), client_id: app.client_id, client_secret: app.client_secret };
    expect((await api.http().post(TOKEN).send(fields)).status).toBe(200);
  });

  it('issues an access token as RFC 9068 has it', async () => {
    const { access_token: token } = await signIn(api, app);
    expect(headerOf(token)).toEqual({ alg: 'ES256', typ: 'at+jwt', kid: expect.any(String) });
    const claims = claimsOf(token);
    expect(claims).toEqual({
      iss: api.url,
      aud: api.url,
      sub: String(api.acme.users.owner.id),
      client_id: app.client_id,
      scope: 'openid profile email vision:extract',
      jti: expect.stringMatching(/^[0-9a-f-]{36}$/),
      iat: expect.any(Number),
      exp: Number(claims['iat']) + 900,
    });
  });

  it('issues an ID token with nonce, auth_time and at_hash, for the application', async () => {
    const { id_token: idToken } = await signIn(api, app, { nonce: 'n-0S6_WzA2Mj' });
    expect(claimsOf(idToken ?? '')).toMatchObject({
      iss: api.url,
      aud: app.client_id,
      sub: String(api.acme.users.owner.id),
      nonce: 'n-0S6_WzA2Mj',
      auth_time: expect.any(Number),
      at_hash: expect.stringMatching(/^[\w-]{22}$/),
    });
  });

  it('issues no ID token without openid, and no refresh token where the grant is not the application’s', async () => {
    const plain = await register(api, { grant_types: ['authorization_code'] });
    const tokens = await signIn(api, plain, { scopes: ['vision:extract'] });
    expect(Object.keys(tokens).sort()).toEqual(['access_token', 'expires_in', 'scope', 'token_type']);
  });

  it('works for a public client, which has no secret', async () => {
    const tokens = await signIn(api, publicApp);
    expect(await resourceStatus(api, tokens.access_token)).toBe(404);
  });

  it.each([
    ['no code_verifier', { code_verifier: '' }, 'invalid_request'],
    ['a verifier of 42 characters', { code_verifier: 'a'.repeat(42) }, 'invalid_request'],
    ['a verifier of 129 characters', { code_verifier: 'a'.repeat(129) }, 'invalid_request'],
    ['a verifier with other characters', { code_verifier: `${'a'.repeat(43)}+` }, 'invalid_request'],
    ['another verifier', { code_verifier: 'a'.repeat(43) }, 'invalid_grant'],
    ['no redirect_uri', { redirect_uri: '' }, 'invalid_request'],
    ['another redirect_uri', { redirect_uri: 'https://app.example.com/callback/' }, 'invalid_grant'],
    ['no code', { code: '' }, 'invalid_request'],
    ['an unknown code', { code: 'svc_ac_nothing' }, 'invalid_grant'],
    ['no grant_type', { grant_type: '' }, 'invalid_request'],
    ['an unknown grant_type', { grant_type: 'password' }, 'unsupported_grant_type'],
    ['a grant_type of every object', { grant_type: 'constructor' }, 'unsupported_grant_type'],
  ])('with %s is refused, and the code stays good', async (_, changes, error) => {
    const right = await approve(api, app);
    expectError(await tokenRequest(api, { ...right, ...changes }, app), 400, error);
    expect((await tokenRequest(api, right, app)).status).toBe(200);
  });

  it('ends 10 minutes after the approval', async () => {
    const late = await approve(api, app);
    api.clock.advance(600);
    expectError(await tokenRequest(api, late, app), 400, 'invalid_grant');
    const early = await approve(api, app);
    api.clock.advance(599);
    expect((await tokenRequest(api, early, app)).status).toBe(200);
  });

  it('is refused to another application, which does not use the code up', async () => {
    const other = await register(api, { name: 'Other' });
    const code = await approve(api, app);
    expectError(await tokenRequest(api, code, other), 400, 'invalid_grant');
    expectError(await tokenRequest(api, code, publicApp), 400, 'invalid_grant');
    expect((await tokenRequest(api, code, app)).status).toBe(200);
  });
});

describe('client authentication', () => {
  const grant = { grant_type: 'client_credentials' };
  const send = (authorization: string, fields: Record<string, string> = {}) =>
    api
      .http()
      .post(TOKEN)
      .set('Authorization', authorization)
      .type('form')
      .send({ ...grant, ...fields });

  it('takes HTTP Basic, percent-encoded', async () => {
    const encoded = Buffer.from(app.client_secret ?? '')
      .toString('hex')
      .replaceAll(/../g, '%$&');
    const credentials = Buffer.from(`${app.client_id}:${encoded}`).toString('base64');
    expect((await send(`Basic ${credentials}`)).status).toBe(200);
    expect((await send(basic(app.client_id, app.client_secret ?? ''))).status).toBe(200);
    expect((await send(basic(app.client_id, app.client_secret ?? ''), { client_id: app.client_id })).status).toBe(200);
  });

  it('refuses two ways at once', async () => {
    const both = { client_id: app.client_id, client_secret: app.client_secret ?? '' };
    expectError(await send(basic(app.client_id, app.client_secret ?? ''), both), 400, 'invalid_request');
    const other = { client_id: publicApp.client_id };
    expectError(await send(basic(app.client_id, app.client_secret ?? ''), other), 400, 'invalid_request');
  });

  it.each([
    ['a wrong secret', () => basic(app.client_id, 'svc_os_wrong')],
    ['no secret', () => basic(app.client_id, '')],
    ['an unknown client', () => basic('svc_oa_unknown', 'svc_os_wrong')],
    ['a secret for a public client', () => basic(publicApp.client_id, 'svc_os_wrong')],
    ['a broken header', () => 'Basic !!!'],
    ['no colon', () => `Basic ${Buffer.from('nothing').toString('base64')}`],
    ['a broken percent-encoding', () => `Basic ${Buffer.from('a%zz:b').toString('base64')}`],
    ['another scheme', () => 'Bearer abc'],
  ])('refuses %s with 401 and WWW-Authenticate', async (_, authorization) => {
    const answer = await send(authorization());
    expectError(answer, 401, 'invalid_client');
    expect(answer.headers['www-authenticate']).toMatch(/^Basic realm=/);
  });

  it('refuses a request without any, and a confidential client without its secret', async () => {
    expectError(await tokenRequest(api, grant), 401, 'invalid_client');
    expectError(await tokenRequest(api, { ...grant, client_id: app.client_id }), 401, 'invalid_client');
  });

  it('ignores credentials in the query', async () => {
    const query = new URLSearchParams({ client_id: app.client_id, client_secret: app.client_secret ?? '' }).toString();
    expectError(await api.http().post(`${TOKEN}?${query}`).type('form').send(grant), 401, 'invalid_client');
  });

  it('is refused with 429 after 20 failures from one address; the right secret still works', async () => {
    const from = (address: string, secret: string) =>
      api
        .http()
        .post(TOKEN)
        .set('X-Forwarded-For', address)
        .type('form')
        .send({ ...grant, client_id: app.client_id, client_secret: secret });
    for (let i = 0; i < 20; i += 1) expect((await from('198.51.100.7', 'wrong')).status).toBe(401);
    const refused = await from('198.51.100.7', 'wrong');
    expectError(refused, 429, 'invalid_client');
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    expect((await from('198.51.100.8', 'wrong')).status).toBe(401);
    expect((await from('198.51.100.7', app.client_secret ?? '')).status).toBe(200);
  });
});

describe('hostile parameters', () => {
  it.each(['grant_type', 'client_id', 'client_secret', 'scope', 'anything'])('refuse %s sent twice', async (name) => {
    const fields = new URLSearchParams({
      grant_type: 'client_credentials',
      client_id: app.client_id,
      client_secret: app.client_secret ?? '',
      scope: 'contacts:read',
      anything: 'x',
    });
    fields.append(name, fields.get(name) ?? '');
    expectError(await api.http().post(TOKEN).type('form').send(fields.toString()), 400, 'invalid_request');
  });

  it.each([
    ['a JSON key twice', '{"grant_type":"client_credentials","grant_type":"client_credentials"}'],
    ['a JSON array', '[]'],
    ['a JSON number', '{"grant_type":1}'],
    ['an object', '{"grant_type":{"a":"b"}}'],
    ['broken JSON', '{"grant_type"'],
    ['deep JSON', '['.repeat(10_000)],
  ])('refuse %s', async (_, body) => {
    expectError(await api.http().post(TOKEN).type('json').send(body), 400, 'invalid_request');
  });

  it('refuse other kinds of body, and bodies that are too large', async () => {
    expectError(await api.http().post(TOKEN).type('text').send('grant_type=x'), 400, 'invalid_request');
    expectError(
      await api
        .http()
        .post(TOKEN)
        .type('form')
        .send(`a=${'x'.repeat(70_000)}`),
      413,
      'invalid_request',
    );
  });

  it('ignore unknown parameters, __proto__ among them', async () => {
    const fields = { grant_type: 'client_credentials', unknown: 'x', ['__proto__']: 'x', resource: 'y' };
    expect((await tokenRequest(api, fields, app)).status).toBe(200);
  });

  it('answer 405 with Allow for other methods', async () => {
    const answer = await api.http().get(TOKEN);
    expect({ status: answer.status, allow: answer.headers['allow'] }).toEqual({ status: 405, allow: 'POST, OPTIONS' });
  });
});

describe('client_credentials', () => {
  it('gives the application a token of its own, without a refresh token or ID token', async () => {
    const answer = await tokenRequest(api, { grant_type: 'client_credentials' }, app);
    expect(answer.body).toEqual({
      access_token: expect.any(String),
      token_type: 'Bearer',
      expires_in: 900,
      scope: 'vision:extract contacts:read',
    });
    expect(claimsOf(answer.body.access_token as string)).toMatchObject({
      sub: app.client_id,
      client_id: app.client_id,
    });
  });

  it('gives what is asked for, and refuses more', async () => {
    expect(claimsOf(await clientToken(api, app, 'contacts:read'))['scope']).toBe('contacts:read');
    for (const scope of ['contacts:write', 'openid', 'contacts:read  vision:extract', '"', 'é']) {
      expectError(await tokenRequest(api, { grant_type: 'client_credentials', scope }, app), 400, 'invalid_scope');
    }
  });

  it('gives the default scopes where the application has some', async () => {
    const other = await register(api, { default_scopes: ['openid', 'contacts:read'] });
    expect(claimsOf(await clientToken(api, other))['scope']).toBe('contacts:read');
  });

  it('is refused to an application without the grant', async () => {
    const other = await register(api, { grant_types: ['authorization_code'] });
    expectError(await tokenRequest(api, { grant_type: 'client_credentials' }, other), 400, 'unauthorized_client');
  });
});
