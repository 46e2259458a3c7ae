import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { connect } from 'node:net';
import { expectRefusal, startApi } from './support.ts';
import type { ApiFixture } from './support.ts';

const KNOWN_ORIGIN = 'https://console.example';
const UUID = /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/;
const DATA = '/api/v1/public/data';

let api: ApiFixture;
let key: string;
beforeAll(async () => {
  api = await startApi({ CORS_ORIGINS: KNOWN_ORIGIN });
  key = await api.acme.key();
});
afterAll(() => api.close());

const list = () => api.http().post(DATA).set('X-API-Key', key);
const body = { action: 'list-work-items' };

describe('request ids and the envelope', () => {
  it('gives each answer an id of ours, in the header and in meta', async () => {
    const [a, b] = [await list().send(body), await list().send(body)];
    expect(Object.keys(a.body).sort()).toEqual(['data', 'meta', 'success']);
    expect(a.body.meta).toEqual({
      api_version: '2026-07-01',
      request_id: a.headers['x-request-id'],
      pagination: { total: expect.any(Number), limit: 50, offset: 0 },
    });
    expect(a.headers['x-request-id']).toMatch(UUID);
    expect(a.headers['x-request-id']).not.toBe(b.headers['x-request-id']);
    expect(a.headers['content-type']).toBe('application/json; charset=utf-8');
  });

  it("keeps a caller's X-Request-Id as X-Correlation-Id, in the log too, and drops one that could break a log line", async () => {
    const good = await list().set('X-Request-Id', 'order-4711').send(body);
    expect(good.headers['x-correlation-id']).toBe('order-4711');
    expect(good.headers['x-request-id']).toMatch(UUID);
    const line = api.logLines.map((text) => JSON.parse(text)).find((entry) => entry.correlation_id === 'order-4711');
    expect(line).toMatchObject({
      msg: 'request',
      request_id: good.headers['x-request-id'],
      client_id: api.acme.clientId,
      route: DATA,
      status: 200,
    });
    for (const bad of ['with space', 'x'.repeat(129), 'caf\u00e9']) {
      const answer = await list().set('X-Request-Id', bad).send(body);
      expect(answer.status).toBe(200);
      expect(answer.headers['x-correlation-id']).toBeUndefined();
    }
  });
});

describe('404 and 405', () => {
  it.each(['/nothing', '/api/v1/nothing', '/api/v2/public/data', '/api/v1/public/data/', '/API/v1/public/data'])(
    '404 with the envelope at %s',
    async (path) => {
      const answer = await api.http().get(path);
      expectRefusal(answer, 404, 'NOT_FOUND');
      expect(answer.headers['content-type']).toMatch('application/json');
    },
  );

  it.each([
    ['delete', DATA, 'GET, HEAD, POST, OPTIONS'],
    ['get', `${DATA}/batch`, 'POST, OPTIONS'],
    ['post', `${DATA}/tools`, 'GET, HEAD, OPTIONS'],
    ['put', '/api/v1/auth/login', 'POST, OPTIONS'],
    ['patch', '/api/v1/work-items/webhooks', 'GET, POST, HEAD, OPTIONS'],
    ['post', '/api/v1/health', 'GET, HEAD, OPTIONS'],
  ] as const)('405 with Allow for %s %s', async (method, path, allow) => {
    const answer = await api.http()[method](path);
    expectRefusal(answer, 405, 'METHOD_NOT_ALLOWED');
    expect(answer.headers['allow']).toBe(allow);
  });

  it('answers HEAD as GET, without the body', async () => {
    const answer = await api.http().head(DATA).set('X-API-Key', key);
    expect(answer.status).toBe(200);
    expect(answer.text).toBeFalsy();
  });
});

describe('bodies', () => {
  const login = () => api.http().post('/api/v1/auth/login');

  it('refuses malformed JSON, a missing body, and a body that is no object', async () => {
    const json = () => login().set('Content-Type', 'application/json');
    for (const text of ['{"email":', '[1]', '"x"', '']) expectRefusal(await json().send(text), 400, 'BAD_REQUEST');
    expectRefusal(await login(), 400, 'BAD_REQUEST');
  });

  it('refuses another content type with 415, and takes JSON with parameters and +json', async () => {
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x'])
      expectRefusal(await list().set('Content-Type', type).send('x=1'), 415, 'UNSUPPORTED_MEDIA_TYPE');
    for (const type of ['application/json; charset=utf-8', 'application/vnd.api+json'])
      expect((await list().set('Content-Type', type).send(JSON.stringify(body))).status).toBe(200);
    expectRefusal(
      await list().set('Content-Type', 'application/json').set('Content-Encoding', 'compress').send('{}'),
      415,
      'UNSUPPORTED_MEDIA_TYPE',
    );
  });

  it('refuses more than 1 MiB with 413, before and after decompression', async () => {
    const { gzipSync } = await import('node:zlib');
    const large = JSON.stringify({ ...body, note: 'x'.repeat(1_048_576) });
    expectRefusal(await list().set('Content-Type', 'application/json').send(large), 413, 'PAYLOAD_TOO_LARGE');
    const bomb = list().set('Content-Type', 'application/json').set('Content-Encoding', 'gzip');
    bomb.serialize((data: unknown) => data as string);
    expectRefusal(await bomb.send(gzipSync(large) as unknown as string), 413, 'PAYLOAD_TOO_LARGE');
  });

  it('answers a request that is no HTTP, and goes on serving', async () => {
    const { port } = new URL(api.url);
    const text = await new Promise<string>((resolve, reject) => {
      let received = '';
      const socket = connect(Number(port), '127.0.0.1', () => socket.write('nonsense\r\n\r\n'));
      socket.on('data', (chunk) => (received += String(chunk)));
      socket.on('close', () => {
        resolve(received);
      });
      socket.on('error', reject);
    });
    expect(text).toMatch(/^HTTP\/1\.1 400 /);
    expect((await list().send(body)).status).toBe(200);
  });
});

describe('CORS', () => {
  const EXPOSED = 'X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset';

  it('opens requests with a key to every origin, without credentials', async () => {
    const { headers } = await list().set('Origin', 'https://anyone.example').send(body);
    expect(headers['access-control-allow-origin']).toBe('*');
    expect(headers['access-control-allow-credentials']).toBeUndefined();
    expect(headers['access-control-expose-headers']).toBe(EXPOSED);
  });

  it('opens bearer requests to known origins only, with credentials', async () => {
    const me = async (origin: string) =>
      api
        .http()
        .get('/api/v1/auth/me')
        .set('Authorization', `Bearer ${await api.acme.token()}`)
        .set('Origin', origin);
    const known = await me(KNOWN_ORIGIN);
    expect(known.headers).toMatchObject({
      'access-control-allow-origin': KNOWN_ORIGIN,
      'access-control-allow-credentials': 'true',
      vary: expect.stringContaining('Origin'),
    });
    const stranger = await me('https://evil.example');
    expect(stranger.headers['access-control-allow-origin']).toBeUndefined();
    expect(stranger.headers['vary']).toContain('Origin');
  });

  it.each([
    ['a key', 'https://anyone.example', 'content-type, x-api-key', '*'],
    ['a token from a known origin', KNOWN_ORIGIN, 'authorization', KNOWN_ORIGIN],
    ['a token from elsewhere', 'https://evil.example', 'authorization', undefined],
  ])('answers the preflight for %s', async (_what, origin, asked, allowed) => {
    const answer = await api
      .http()
      .options(DATA)
      .set('Origin', origin)
      .set('Access-Control-Request-Method', 'POST')
      .set('Access-Control-Request-Headers', asked);
    expect(answer.status).toBe(204);
    expect(answer.headers['access-control-allow-origin']).toBe(allowed);
    expect(answer.headers['access-control-max-age']).toBe('86400');
    expect(answer.headers['access-control-allow-methods']).toBe('GET, POST, PUT, PATCH, DELETE, OPTIONS');
    const names = answer.headers['access-control-allow-headers']!.split(', ');
    expect(names).toHaveLength(12);
    expect(names).toEqual(expect.arrayContaining(['X-API-Key', 'Idempotency-Key', 'X-Inspection-Token']));
  });
});

it.each([DATA, '/nothing', '/api/v1/health', '/docs', '/openapi.json'])(
  'sends the security headers with %s',
  async (path) => {
    const { headers } = await api.http().get(path);
    expect(headers).toMatchObject({
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      'referrer-policy': 'no-referrer',
      'strict-transport-security': expect.stringContaining('max-age='),
    });
    expect(headers['x-powered-by']).toBeUndefined();
    expect(headers['x-api-version']).toBe('2026-07-01');
  },
);

describe('X-API-Version', () => {
  it('handles the request with an older known version, and says so', async () => {
    const answer = await list().set('X-API-Version', '2026-03-01').send(body);
    expect(answer.status).toBe(200);
    expect(answer.headers['x-api-version']).toBe('2026-03-01');
    expect(answer.body.meta.api_version).toBe('2026-03-01');
  });

  it.each(['1', 'latest', '2026-7-1', '2026-13-01', '2025-12-31', '2026-07-02', '2099-01-01'])(
    'refuses %s',
    async (version) => {
      const answer = await list().set('X-API-Version', version).send(body);
      expectRefusal(answer, 400, 'VALIDATION_ERROR');
      expect(answer.body.error.details).toEqual([expect.objectContaining({ field: 'X-API-Version' })]);
    },
  );
});
