import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { expectRefusal, startApi } from './support.ts';
import type { ApiFixture } from './support.ts';
import { APPLICATIONS, clientToken, register, registerPublic, tokenRequest } from './oauth-support.ts';

let api: ApiFixture;
beforeAll(async () => {
  api = await startApi({ RATE_LIMIT_DISABLED: 'true' });
});
afterAll(() => api.close());

const VALID = { name: 'App', redirect_uris: ['https://app.example.com/cb'], scopes: ['contacts:read'] };

async function create(input: Record<string, unknown>, tenant = api.acme) {
  const authorization = `Bearer ${await tenant.token()}`;
  return api
    .http()
    .post(APPLICATIONS)
    .set('Authorization', authorization)
    .send({ ...VALID, ...input });
}

describe('OAuth applications', () => {
  it('show their secret once, and never again', async () => {
    const made = await create({});
    expect(made.status).toBe(201);
    expect(made.body.data).toMatchObject({
      client_id: expect.stringMatching(/^svc_oa_/),
      client_secret: expect.stringMatching(/^svc_os_/),
      client_type: 'confidential',
      grant_types: ['authorization_code', 'refresh_token'],
      default_scopes: [],
      is_active: true,
    });
    const authorization = `Bearer ${await api.acme.token('admin')}`;
    const list = await api.http().get(APPLICATIONS).set('Authorization', authorization);
    const one = await api
      .http()
      .get(`${APPLICATIONS}/${String(made.body.data.id)}`)
      .set('Authorization', authorization);
    expect(list.text).not.toContain('svc_os_');
    expect(one.text).not.toContain('svc_os_');
    expect(one.body.data.client_id).toBe(made.body.data.client_id);
    expect(api.logLines.join('')).not.toContain(made.body.data.client_secret);
  });

  it('are for owners and admins', async () => {
    for (const role of ['member', 'auditor'] as const) {
      const authorization = `Bearer ${await api.acme.token(role)}`;
      expectRefusal(await api.http().get(APPLICATIONS).set('Authorization', authorization), 403, 'FORBIDDEN');
      expectRefusal(
        await api.http().post(APPLICATIONS).set('Authorization', authorization).send(VALID),
        403,
        'FORBIDDEN',
      );
    }
    const key = await api.acme.key();
    expectRefusal(await api.http().get(APPLICATIONS).set('X-API-Key', key), 401, 'UNAUTHORIZED');
  });

  it('are another client’s 404', async () => {
    const { id } = await register(api);
    const path = `${APPLICATIONS}/${String(id)}`;
    const authorization = `Bearer ${await api.rival.token()}`;
    expectRefusal(await api.http().get(path).set('Authorization', authorization), 404, 'NOT_FOUND');
    expectRefusal(
      await api.http().patch(path).set('Authorization', authorization).send({ name: 'x' }),
      404,
      'NOT_FOUND',
    );
    expectRefusal(await api.http().delete(path).set('Authorization', authorization), 404, 'NOT_FOUND');
    expectRefusal(await api.http().post(`${path}/rotate-secret`).set('Authorization', authorization), 404, 'NOT_FOUND');
    const list = await api.http().get(APPLICATIONS).set('Authorization', authorization);
    expect(list.body.data).toEqual([]);
  });

  it.each([
    ['http beyond loopback', 'http://app.example.com/cb'],
    ['a fragment', 'https://app.example.com/cb#x'],
    ['an empty fragment', 'https://app.example.com/cb#'],
    ['a user name', 'https://user@app.example.com/cb'],
    ['a wildcard', 'https://*.example.com/cb'],
    ['a relative address', '/cb'],
    ['javascript:', 'javascript:alert(1)'],
    ['data:', 'data:text/html,x'],
    ['a scheme without a dot', 'myapp:/cb'],
    ['a private-use scheme of a confidential client', 'com.example.app:/cb'],
    ['a backslash', 'https://app.example.com\\@evil.example/cb'],
    ['white space', 'https://app.example.com/c b'],
    ['a line break', 'https://app.example.com/cb\r\nx: y'],
    ['no slashes', 'https:app.example.com'],
    ['loopback look-alike', 'http://localhost.evil.example/cb'],
  ])('refuse a redirect URI with %s', async (_, uri) => {
    expectRefusal(await create({ redirect_uris: [uri] }), 400, 'VALIDATION_ERROR');
  });

  it('take https, loopback and, of public clients, private-use schemes', async () => {
    const redirectUris = [
      'https://app.example.com/cb?x=1',
      'http://127.0.0.1/cb',
      'http://[::1]:8080/',
      'http://localhost/cb',
    ];
    expect((await create({ redirect_uris: redirectUris })).body.data.redirect_uris).toEqual(redirectUris);
    const made = await create({ client_type: 'public', redirect_uris: ['com.example.app:/cb'] });
    expect({ status: made.status, secret: made.body.data.client_secret }).toEqual({ status: 201, secret: null });
  });

  it.each([
    [{ scopes: ['nonsense'] }, 400, 'VALIDATION_ERROR'],
    [{ default_scopes: ['contacts:write'] }, 400, 'VALIDATION_ERROR'],
    [{ redirect_uris: [] }, 400, 'VALIDATION_ERROR'],
    [{ grant_types: ['refresh_token'] }, 400, 'VALIDATION_ERROR'],
    [{ grant_types: ['implicit'] }, 400, 'VALIDATION_ERROR'],
    [{ client_type: 'public', grant_types: ['client_credentials'] }, 400, 'VALIDATION_ERROR'],
    [
      { redirect_uris: Array.from({ length: 11 }, (_, n) => `https://app.example.com/${String(n)}`) },
      400,
      'VALIDATION_ERROR',
    ],
    [{ logo_url: 'http://app.example.com/logo.png' }, 400, 'VALIDATION_ERROR'],
    [{ name: 'a\u202Eb' }, 400, 'VALIDATION_ERROR'],
  ])('refuse %j', async (input, status, code) => {
    expectRefusal(await create(input), status, code);
  });

  it('keep to the finance tier of their client', async () => {
    expectRefusal(await create({ scopes: ['invoices:read'] }, api.rival), 403, 'TIER_RESTRICTED');
    expect((await create({ scopes: ['invoices:read', 'openid'] })).status).toBe(201);
  });

  it('get a new secret, and the old one stops at once', async () => {
    const app = await register(api);
    await clientToken(api, app);
    const rotated = await api
      .http()
      .post(`${APPLICATIONS}/${String(app.id)}/rotate-secret`)
      .set('Authorization', `Bearer ${await api.acme.token()}`);
    expect(rotated.status).toBe(200);
    const old = await tokenRequest(api, { grant_type: 'client_credentials' }, app);
    expect(old.body.error).toBe('invalid_client');
    await clientToken(api, { ...app, client_secret: rotated.body.data.client_secret as string });
    const { id } = await registerPublic(api);
    const none = await api
      .http()
      .post(`${APPLICATIONS}/${String(id)}/rotate-secret`)
      .set('Authorization', `Bearer ${await api.acme.token()}`);
    expectRefusal(none, 422, 'UNPROCESSABLE_ENTITY');
  });

  it('are changed field by field, as a whole that must stay right', async () => {
    const { id } = await register(api);
    const patch = async (body: object) =>
      api
        .http()
        .patch(`${APPLICATIONS}/${String(id)}`)
        .set('Authorization', `Bearer ${await api.acme.token()}`)
        .send(body);
    expect((await patch({ name: 'New name' })).body.data.name).toBe('New name');
    expectRefusal(await patch({ redirect_uris: [] }), 400, 'VALIDATION_ERROR');
    expectRefusal(await patch({}), 400, 'BAD_REQUEST');
    expectRefusal(await patch({ client_type: 'public' }), 400, 'VALIDATION_ERROR');
  });
});
