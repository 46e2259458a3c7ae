import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { hasRoute } from '../../api/adapters/rest.ts';
import type { Route } from '../../api/operation.ts';
import { operations } from '../../api/registry.ts';
import { book } from '../../domain/vision/index.ts';
import { endpointOfCallback } from '../../domain/webhooks/endpoint.ts';
import { statement } from '../../platform/db/statement.ts';
import { startApi } from './support.ts';
import type { ApiFixture } from './support.ts';
import {
  clientToken,
  INTROSPECT,
  post,
  refresh,
  register,
  registerPublic,
  RESOURCE,
  resourceStatus,
  signIn,
  TOKEN,
  USERINFO,
} from './oauth-support.ts';
import type { TestApplication } from './oauth-support.ts';

let api: ApiFixture;
let app: TestApplication;
beforeAll(async () => {
  api = await startApi({ RATE_LIMIT_DISABLED: 'true' });
  app = await register(api);
});
afterAll(() => api.close());

const get = (path: string, token: string) => api.http().get(path).set('Authorization', `Bearer ${token}`);

describe('routes that opted in', () => {
  it('take OAuth tokens with the scope, of users and of applications', async () => {
    expect(await resourceStatus(api, (await signIn(api, app)).access_token)).toBe(404);
    expect(await resourceStatus(api, await clientToken(api, app))).toBe(404);
  });

  it.each([
    ['contacts:read', '/api/v1/contacts'],
    ['payments:read', '/api/v1/payments'],
    ['forms:read', '/api/v1/forms'],
  ])('with %s read %s, and do not write there', async (scope, path) => {
    const reader = await register(api, { name: `Reader of ${path}`, scopes: [scope] });
    const token = await clientToken(api, reader);
    const answer = await get(path, token);
    expect({ status: answer.status, isList: Array.isArray(answer.body.data) }).toEqual({ status: 200, isList: true });
    const written = await api.http().post(path).set('Authorization', `Bearer ${token}`).send({ name: 'Written' });
    expect([401, 403, 405]).toContain(written.status);
  });

  it('refuse one without the scope', async () => {
    const answer = await get(RESOURCE, await clientToken(api, app, 'contacts:read'));
    expect({ status: answer.status, code: answer.body.error.code }).toEqual({ status: 403, code: 'SCOPE_REQUIRED' });
  });

  it('note in the audit trail the user, and the application that acted for the user; or the application itself', async () => {
    const writer = await register(api, { name: 'Address book', scopes: ['contacts:write'] });
    const create = (token: string) =>
      api.http().post('/api/v1/contacts').set('Authorization', `Bearer ${token}`).send({ name: 'By an application' });
    const byUser = await create((await signIn(api, writer, { scopes: ['contacts:write'] })).access_token);
    const byItself = await create(await clientToken(api, writer));
    const entries = await api.services.system.query(
      statement(`select actor_type, actor_id, details from audit_entries where subject_type = 'contact'
        and subject_id = any($1) order by id`),
      [[byUser, byItself].map((answer) => String(answer.body.data.id))],
    );
    expect(entries).toEqual([
      {
        actor_type: 'user',
        actor_id: String(api.acme.users.owner.id),
        details: { oauth_application_id: writer.id },
      },
      { actor_type: 'oauth_application', actor_id: String(writer.id), details: null },
    ]);
  });

  it('still take API keys, and refuse first-party tokens', async () => {
    expect(await resourceStatus(api, await api.acme.key(['vision:extract']))).toBe(404);
    expect(await resourceStatus(api, await api.acme.token())).toBe(401);
  });

  it('show a tenant nothing of another', async () => {
    const foreign = await register(api, { scopes: ['vision:extract'] }, api.rival);
    expect(await resourceStatus(api, await clientToken(api, foreign))).toBe(404);
  });
});

/** Decisions §3, Document AI aside: contacts, work items with what hangs on them, payments; workflows and forms to read. */
const OPTED_IN = [
  /^\w+ \/api\/v1\/(contacts|payments|work-items(?!\/webhooks)|time-entries)(\/|$)/,
  /^get \/api\/v1\/(workflows|forms)(\/|$)/,
];

describe('every route', () => {
  it('takes OAuth tokens where the decisions say so, by a scope, and nowhere else', () => {
    const routed = operations.filter(hasRoute).filter(({ route }) => !route.path.startsWith('/api/v1/vision/'));
    const open = routed.filter(({ route }) => route.auth.includes('oauth'));
    const at = ({ route }: { route: Route }): string => `${route.method} ${route.path}`;
    expect(open.map(at)).toEqual(routed.map(at).filter((one) => OPTED_IN.some((pattern) => pattern.test(one))));
    expect(open.filter(({ scopes }) => scopes === null).map(at)).toEqual([]);
  });

  it.each([
    ['contacts', '/contacts', 'contacts:read'],
    ['work items', '/work-items', 'work_items:read'],
    ['comments', '/work-items/{item}/comments', 'comments:read'],
    ['payments', '/payments', 'payments:read'],
    ['workflows', '/workflows', 'workflows:read'],
    ['forms', '/forms', 'forms:read'],
  ])('of %s is open to an application, and to a user of it, with the scope alone', async (_area, path, scope) => {
    const scoped = await register(api, { name: `With ${scope}`, scopes: [scope, 'vision:usage'] });
    const created = await api.act(await api.acme.key(), {
      action: 'create-work-item',
      item_type: 'job',
      title: 'Pump',
    });
    const address = `/api/v1${path.replace('{item}', created.body.data.work_item_id as string)}`;
    const its = await get(address, await clientToken(api, scoped, scope));
    expect({ status: its.status, isList: Array.isArray(its.body.data) }).toEqual({ status: 200, isList: true });
    const { access_token: users } = await signIn(api, scoped, { scopes: [scope] });
    expect((await get(address, users)).status).toBe(200);
    const other = await get(address, await clientToken(api, scoped, 'vision:usage'));
    expect({ status: other.status, code: other.body.error.code }).toEqual({ status: 403, code: 'SCOPE_REQUIRED' });
  });
});

describe('Document AI with an OAuth token', () => {
  it('keeps whose call it was, and signs the callback with the application’s secret', async () => {
    await api.services.tenants.transaction(api.acme.clientId, (tx) =>
      book(tx, { clientId: api.acme.clientId, reference: 'test', step: 'grant', amount: 2 }),
    );
    const answer = await api
      .http()
      .post('/api/v1/vision/extract')
      .set('Authorization', `Bearer ${await clientToken(api, app)}`)
      .send({ file_base64: Buffer.from('%PDF-1.7').toString('base64'), async: true });
    expect(answer.status).toBe(202);
    const find = statement('select oauth_application_id, api_key_id from vision_requests where request_id = $1');
    expect(await api.services.system.query(find, [answer.body.request_id])).toEqual([
      { oauth_application_id: app.id, api_key_id: null },
    ]);
    const { system, vault } = api.services;
    const target = { url: 'https://app.example.com/hook', oauth_application_id: app.id };
    const endpoint = await endpointOfCallback(system, vault, api.acme.clientId, target);
    expect(endpoint.auth).toEqual({ type: 'key', secret: app.client_secret });
  });
});

describe('all other routes', () => {
  it('answer 401 to OAuth tokens and ID tokens', async () => {
    const tokens = await signIn(api, app);
    for (const token of [tokens.access_token, tokens.id_token ?? '']) {
      for (const path of ['/api/v1/auth/me', '/api/v1/integrations/api-keys', '/api/v1/oauth/applications']) {
        expect((await get(path, token)).status).toBe(401);
      }
    }
    expect((await get(RESOURCE, tokens.id_token ?? '')).status).toBe(401);
  });

  it('userinfo and introspection take no first-party token', async () => {
    expect((await get(USERINFO, await api.acme.token())).status).toBe(401);
    expect((await post(api, INTROSPECT, { token: await api.acme.token() }, app)).body).toEqual({ active: false });
  });

  it('a token whose header, claims or signature was changed is refused', async () => {
    const token = (await signIn(api, app)).access_token;
    const [head = '', body = '', signature = ''] = token.split('.');
    const changed = (part: string, change: object): string =>
      Buffer.from(
        JSON.stringify({ ...(JSON.parse(Buffer.from(part, 'base64url').toString()) as object), ...change }),
      ).toString('base64url');
    const forged = [
      `${changed(head, { alg: 'none' })}.${body}.`,
      `${changed(head, { alg: 'HS256' })}.${body}.${signature}`,
      `${changed(head, { kid: '../../x' })}.${body}.${signature}`,
      `${head}.${changed(body, { scope: '*' })}.${signature}`,
      `${head}.${body}.${signature.slice(0, -4)}AAAA`,
      `${head}.${body}`,
    ];
    for (const each of forged) expect(await resourceStatus(api, each)).toBe(401);
    expect(await resourceStatus(api, token)).toBe(404);
  });
});

describe('userinfo', () => {
  const of = async (scopes: string[]) => (await get(USERINFO, (await signIn(api, app, { scopes })).access_token)).body;

  it('tells of the user what the scopes say', async () => {
    const { id, email } = api.acme.users.owner;
    const sub = String(id);
    expect(await of(['openid'])).toEqual({ sub });
    expect(await of(['openid', 'email'])).toEqual({ sub, email, email_verified: false });
    expect(await of(['openid', 'profile'])).toEqual({ sub, email, email_verified: false, name: 'owner' });
    expect(await of(['profile'])).toEqual({ email, email_verified: false, name: 'owner' });
  });

  it('tells of an application its own id and scopes', async () => {
    const answer = await get(USERINFO, await clientToken(api, app));
    expect(answer.body).toEqual({
      sub: app.client_id,
      client_id: app.client_id,
      scope: 'vision:extract contacts:read',
    });
  });

  it('works by POST, and refuses as RFC 6750 has it', async () => {
    const token = (await signIn(api, app)).access_token;
    expect((await api.http().post(USERINFO).set('Authorization', `Bearer ${token}`)).status).toBe(200);
    const none = await api.http().get(USERINFO);
    expect({ status: none.status, error: none.body.error }).toEqual({ status: 401, error: 'invalid_token' });
    const bad = await get(USERINFO, 'a.b.c');
    expect({ status: bad.status, error: bad.body.error }).toEqual({ status: 401, error: 'invalid_token' });
    expect(bad.headers['www-authenticate']).toMatch(/^Bearer error="invalid_token"/);
    const few = await get(USERINFO, (await signIn(api, app, { scopes: ['vision:extract'] })).access_token);
    expect({ status: few.status, error: few.body.error }).toEqual({ status: 403, error: 'insufficient_scope' });
    expect(few.headers['www-authenticate']).toContain('error="insufficient_scope"');
  });
});

describe('introspection', () => {
  it('describes tokens of the application’s own client', async () => {
    const tokens = await signIn(api, app);
    const access = (await post(api, INTROSPECT, { token: tokens.access_token }, app)).body;
    expect(access).toEqual({
      active: true,
      scope: tokens.scope,
      client_id: app.client_id,
      sub: String(api.acme.users.owner.id),
      iss: api.url,
      aud: api.url,
      exp: expect.any(Number),
      iat: expect.any(Number),
      jti: expect.any(String),
      token_type: 'Bearer',
    });
    const other = await register(api, { name: 'Gateway', scopes: ['contacts:read'] });
    const refreshed = (await post(api, INTROSPECT, { token: tokens.refresh_token }, other)).body;
    expect(refreshed).toMatchObject({ active: true, client_id: app.client_id, sub: access.sub });
  });

  it('says no more than inactive of anything else', async () => {
    const foreign = await register(api, { scopes: ['contacts:read'] }, api.rival);
    const tokens = await signIn(api, app);
    await refresh(api, app, tokens.refresh_token);
    const inactive = { active: false };
    for (const token of [tokens.access_token, tokens.refresh_token]) {
      expect((await post(api, INTROSPECT, { token }, foreign)).body).toEqual(inactive);
    }
    for (const token of [tokens.refresh_token, 'nonsense', tokens.id_token ?? '']) {
      expect((await post(api, INTROSPECT, { token }, app)).body).toEqual(inactive);
    }
  });

  it('needs a client that authenticates', async () => {
    const token = await clientToken(api, app);
    expect((await post(api, INTROSPECT, { token })).status).toBe(401);
    expect((await post(api, INTROSPECT, { token }, await registerPublic(api))).status).toBe(401);
    expect((await post(api, INTROSPECT, {}, app)).body.error).toBe('invalid_request');
  });
});

describe('metadata and keys', () => {
  it('are served, cacheable, and name addresses that exist', async () => {
    for (const name of ['oauth-authorization-server', 'openid-configuration']) {
      const answer = await api.http().get(`/.well-known/${name}`);
      expect(answer.headers['cache-control']).toBe('public, max-age=300');
      expect(answer.body).toMatchObject({ issuer: api.url, code_challenge_methods_supported: ['S256'] });
      const addresses = Object.entries(answer.body as Record<string, string>).filter(([key]) =>
        /_(endpoint|uri)$/.test(key),
      );
      expect(addresses.length).toBeGreaterThanOrEqual(6);
      for (const [, address] of addresses) {
        const path = address.slice(api.url.length);
        expect([path, (await api.http().get(path)).status]).not.toEqual([path, 404]);
      }
    }
    expect((await api.http().get('/.well-known/oauth-protected-resource')).body).toMatchObject({
      resource: api.url,
      authorization_servers: [api.url],
    });
  });

  it('publish public keys only', async () => {
    const { keys } = (await api.http().get('/.well-known/jwks.json')).body as { keys: Record<string, string>[] };
    expect(keys.length).toBeGreaterThan(0);
    for (const key of keys) expect(Object.keys(key).sort()).toEqual(['alg', 'crv', 'kid', 'kty', 'use', 'x', 'y']);
  });
});

describe('CORS', () => {
  it('lets browser programs of any origin use the protocol, without credentials', async () => {
    for (const path of [TOKEN, USERINFO, '/.well-known/openid-configuration', '/.well-known/jwks.json']) {
      const preflight = await api
        .http()
        .options(path)
        .set({ Origin: 'https://spa.example', 'Access-Control-Request-Method': 'POST' });
      expect(preflight.status).toBe(204);
      expect(preflight.headers['access-control-allow-origin']).toBe('*');
      expect(preflight.headers['access-control-allow-credentials']).toBeUndefined();
    }
    const answer = await api.http().post(TOKEN).set('Origin', 'https://spa.example').type('form').send({});
    expect(answer.headers['access-control-allow-origin']).toBe('*');
    expect(answer.headers['access-control-expose-headers']).toMatch(
      /^WWW-Authenticate, Retry-After, .*X-RateLimit-Limit/,
    );
    const page = await api.http().get('/api/v1/oauth/authorize').set('Origin', 'https://spa.example');
    expect(page.headers['access-control-allow-origin']).toBeUndefined();
  });
});
