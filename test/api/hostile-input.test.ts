import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { rawRequest } from '../support/raw-http.ts';
import type { RawAnswer } from '../support/raw-http.ts';
import { expectRawRefusal, startHostileServer } from './hostile-server.ts';
import type { HostileServer } from './hostile-server.ts';
import { startApi } from './support.ts';
import type { ApiFixture } from './support.ts';

const DATA = '/api/v1/public/data';
const LIST = '{"action":"list-work-items"}';
const MIB = 1_048_576;

let api: ApiFixture;
let server: HostileServer;
let key: string;
beforeAll(async () => {
  api = await startApi({ RATE_LIMIT_DISABLED: 'true' });
  server = await startHostileServer(api.services);
  key = await api.acme.key();
});
afterAll(async () => {
  await server.close();
  await api.close();
});

function request(head: string, body: string | Uint8Array = ''): Promise<RawAnswer> {
  const bytes = typeof body === 'string' ? Buffer.from(body) : body;
  return rawRequest(server.url, Buffer.concat([Buffer.from(`${head}\r\n\r\n`, 'latin1'), bytes]));
}

/** POST of a body to the action endpoint with a good key. */
function post(body: string | Uint8Array, headers: readonly string[] = [], path = DATA): Promise<RawAnswer> {
  const given = headers.some((header) => /^(content-length|transfer-encoding):/i.test(header));
  const type = headers.some((header) => /^content-type:/i.test(header)) ? [] : ['Content-Type: application/json'];
  const length = given ? [] : [`Content-Length: ${String(Buffer.byteLength(body))}`];
  const credential = path === DATA ? `X-API-Key: ${key}` : `Authorization: Bearer ${key}`;
  return request([`POST ${path} HTTP/1.1`, 'Host: x', credential, ...type, ...length, ...headers].join('\r\n'), body);
}

function get(path: string, headers: readonly string[] = [`X-API-Key: ${key}`]): Promise<RawAnswer> {
  return request([`GET ${path} HTTP/1.1`, 'Host: x', ...headers].join('\r\n'));
}

describe('bodies', () => {
  it.each([
    ['cut off', '{"action":'],
    ['a comma too many', '{"action":"x",}'],
    ['single quotes', "{'action':'x'}"],
    ['two values', '{}{}'],
    ['a raw NUL', '{"action":"a\0b"}'],
    ['NaN', '{"action":NaN}'],
    ['only blanks', '   '],
    ['an array', '[]'],
    ['null', 'null'],
  ])('BAD_REQUEST for %s', async (_what, body) => {
    expectRawRefusal(await post(body), 400, 'BAD_REQUEST');
  });

  it.each([
    ['an overlong form', Buffer.from([0xc0, 0xaf])],
    ['a lone continuation byte', Buffer.from([0x80])],
    ['a surrogate in UTF-8', Buffer.from([0xed, 0xa0, 0x80])],
    ['latin1', Buffer.from('é', 'latin1')],
  ])('BAD_REQUEST for invalid UTF-8: %s', async (_what, bytes) => {
    const answer = await post(Buffer.concat([Buffer.from('{"action":"'), bytes, Buffer.from('"}')]));
    expectRawRefusal(answer, 400, 'BAD_REQUEST');
    expect(answer.body.error.message).toMatch(/UTF-8/);
  });

  it.each(['utf-16', 'utf-16le', 'utf-7', 'latin1', 'x-unknown'])('415 for the charset %s', async (charset) => {
    const answer = await post(LIST, [`Content-Type: application/json; charset=${charset}`]);
    expectRawRefusal(answer, 415, 'UNSUPPORTED_MEDIA_TYPE');
  });

  it.each([
    ['a NUL character', '"a\\u0000b"'],
    ['half a surrogate pair', '"\\ud800"'],
    ['the other half', '"x\\udc00y"'],
  ])('VALIDATION_ERROR with the field for %s in a text', async (_what, text) => {
    const answer = await post(`{"action":"create-work-item","item_type":"job","title":${text}}`);
    expectRawRefusal(answer, 400, 'VALIDATION_ERROR');
    expect(answer.body.error.details).toEqual([expect.objectContaining({ field: 'title' })]);
  });

  it('takes 64 levels and refuses 65, in a value and in the open', async () => {
    const nested = (levels: number) => '['.repeat(levels) + ']'.repeat(levels);
    const deepest = await post(`{"action":"list-work-items","x":${nested(63)}}`);
    expect(deepest.body.error.details[0].field).toBe('x');
    for (const body of [`{"action":"x","x":${nested(64)}}`, nested(65), '{"a":'.repeat(70) + '1' + '}'.repeat(70)]) {
      const answer = await post(body);
      expectRawRefusal(answer, 400, 'BAD_REQUEST');
      expect(answer.body.error.message).toMatch(/64 levels/);
    }
    const brackets = await post(`{"action":"list-work-items","x":"${'['.repeat(500)}\\"${'{'.repeat(500)}"}`);
    expect(brackets.body.error.details[0].field).toBe('x');
  });

  it.each([
    ['1 MiB', MIB, DATA],
    ['25 MiB', 25 * MIB, '/api/v1/vision/extract'],
  ])(
    'refuses a body of %s that is all levels at its first of them: the rest is never sent',
    async (_what, bytes, path) => {
      const answer = await post('['.repeat(65), [`Content-Length: ${String(bytes)}`], path);
      expectRawRefusal(answer, 400, 'BAD_REQUEST');
      expect(answer.body.error.message).toMatch(/64 levels/);
    },
  );

  it('413 for a declared length over the limit, before the body is sent', async () => {
    expectRawRefusal(await post('', [`Content-Length: ${String(MIB + 1)}`]), 413, 'PAYLOAD_TOO_LARGE');
    expectRawRefusal(await post('', ['Content-Length: 99999999999999']), 413, 'PAYLOAD_TOO_LARGE');
  });

  it('413 for a chunked body over the limit', async () => {
    const chunk = `10000\r\n${' '.repeat(65_536)}\r\n`;
    expectRawRefusal(await post(chunk.repeat(17), ['Transfer-Encoding: chunked']), 413, 'PAYLOAD_TOO_LARGE');
  });

  it.each([
    ['gzip', gzipSync(Buffer.alloc(200 * MIB, ' '))],
    ['br', brotliCompressSync(Buffer.alloc(50 * MIB, ' '), { params: {} })],
  ])('413 for a bomb in %s, without inflating it whole', async (encoding, bomb) => {
    const before = process.memoryUsage().rss;
    expectRawRefusal(await post(bomb, [`Content-Encoding: ${encoding}`]), 413, 'PAYLOAD_TOO_LARGE');
    expect(process.memoryUsage().rss - before).toBeLessThan(100 * MIB);
  });

  it('400 for what is not gzip though it says so, and for one that breaks off', async () => {
    expectRawRefusal(await post(LIST, ['Content-Encoding: gzip']), 400, 'BAD_REQUEST');
    expectRawRefusal(await post(gzipSync(LIST).subarray(0, 15), ['Content-Encoding: gzip']), 400, 'BAD_REQUEST');
  });

  it('415 for stacked and unknown encodings', async () => {
    for (const encoding of ['gzip, gzip', 'identity, gzip', 'x-secret'])
      expectRawRefusal(await post(gzipSync(LIST), [`Content-Encoding: ${encoding}`]), 415, 'UNSUPPORTED_MEDIA_TYPE');
  });

  it.each(['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty'])(
    'the name %s in JSON and in the query is a name like any other',
    async (name) => {
      const before = Object.keys(Object.prototype);
      const inBody = await post(`{"action":"list-work-items","${name}":{"polluted":true}}`);
      const asAction = await post(`{"action":"${name}"}`);
      const inQuery = await get(`/api/v1/work-items/webhooks?${name}=1&${name}[polluted]=1`, [
        `Authorization: Bearer ${await api.acme.token()}`,
      ]);
      for (const answer of [inBody, asAction, inQuery])
        expect({ body: answer.body, found: [200, 400].includes(answer.status) }).toMatchObject({ found: true });
      expectRawRefusal(asAction, 400, 'INVALID_ACTION');
      expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
      expect(Object.keys(Object.prototype)).toEqual(before);
    },
  );
});

describe('headers', () => {
  it.each([
    ['X-API-Key', 'svc_sk_other'],
    ['Authorization', 'Bearer a', 'Bearer b'],
    ['Content-Type', 'application/json', 'text/plain'],
    ['Idempotency-Key', 'one', 'two'],
    ['X-API-Version', '2026-07-01', '2026-03-01'],
    ['X-Request-Id', 'a', 'b'],
    ['Origin', 'https://a.example', 'https://b.example'],
    ['x-REQUEST-id', 'a', 'a'],
  ])('BAD_REQUEST that names %s when it comes twice', async (name, ...values) => {
    const answer = await post(
      LIST,
      values.map((value) => `${name}: ${value}`),
    );
    expectRawRefusal(answer, 400, 'BAD_REQUEST');
    expect(answer.body.error.details[0].field.toLowerCase()).toBe(name.toLowerCase());
  });

  it('400 for two hosts, for none, and for two lengths', async () => {
    expectRawRefusal(await get(DATA, [`X-API-Key: ${key}`, 'Host: y']), 400, 'BAD_REQUEST');
    expect((await request(`GET ${DATA} HTTP/1.1\r\nX-API-Key: ${key}`)).status).toBe(400);
    expectRawRefusal(await post(LIST, ['Content-Length: 28', 'Content-Length: 5']), 400, 'BAD_REQUEST');
  });

  it('431 for more than 100 headers, and for 16 KiB of them', async () => {
    const many = Array.from({ length: 120 }, (_, n) => `X-H${String(n)}: 1`);
    expectRawRefusal(await get(DATA, many), 431, 'HEADERS_TOO_LARGE');
    const tiny = Array.from({ length: 3_500 }, () => 'a:');
    expectRawRefusal(await get(DATA, tiny), 431, 'HEADERS_TOO_LARGE');
    const large = await get(DATA, [`X-Large: ${'x'.repeat(20_000)}`]);
    expectRawRefusal(large, 431, 'HEADERS_TOO_LARGE');
    expect(large.headers['connection']).toBe('close');
  });

  it.each([
    ['a NUL in a value', 'X-A: a\0b'],
    ['a bare CR in a value', 'X-A: a\rX-B: c'],
    ['a space before the colon', 'X-A : b'],
    ['a folded line', 'X-A: b\r\n folded'],
    ['no colon', 'garbage'],
    ['a negative length', 'Content-Length: -1'],
    ['a length that is no number', 'Content-Length: 1e3'],
    ['a length with a plus', 'Content-Length: +5'],
  ])('400 for %s', async (_what, header) => {
    expectRawRefusal(await get(DATA, [header]), 400, 'BAD_REQUEST');
  });

  it.each([
    ['length and chunked', ['Content-Length: 28', 'Transfer-Encoding: chunked']],
    ['chunked and length', ['Transfer-Encoding: chunked', 'Content-Length: 0']],
    ['chunked twice', ['Transfer-Encoding: chunked', 'Transfer-Encoding: chunked']],
    ['an unknown coding last', ['Transfer-Encoding: chunked, identity']],
    ['an obfuscated coding', ['Transfer-Encoding: xchunked']],
    ['a coding behind a tab', ['Transfer-Encoding:\x0bchunked']],
  ])('400 for smuggling by %s', async (_what, headers) => {
    const answer = await post('0\r\n\r\nGET /api/v1/health HTTP/1.1\r\nHost: x\r\n\r\n', headers);
    expectRawRefusal(answer, 400, 'BAD_REQUEST');
  });

  it('400 for an Expect that nobody can meet, and 100 Continue for the one that can be', async () => {
    const answer = await post(LIST, ['Expect: 200-maybe']);
    expectRawRefusal(answer, 400, 'BAD_REQUEST');
    expect(answer.body.error.details[0].field).toBe('Expect');
    expect((await post(LIST, ['Expect: 100-continue'])).status).toBe(100);
    const refused = await post('', ['Expect: 100-continue', `Content-Length: ${String(2 * MIB)}`]);
    expectRawRefusal(refused, 413, 'PAYLOAD_TOO_LARGE');
    expect(refused.headers['connection']).toBe('close');
  });
});

describe('addresses and methods', () => {
  it.each([
    ['//', 404],
    ['///etc/passwd', 404],
    ['/../../etc/passwd', 404],
    ['/%00', 404],
    ['/%ff', 404],
    ['/%', 404],
    ['/api/v1/work-items/webhooks/%ff', 400],
    ['/api/v1/work-items/webhooks/%', 400],
    ['/docs/errors/%ff', 400],
    ['http://x/nothing', 404],
    ['http://[::1', 400],
    ['/nothing?%ff=%zz&=&&', 404],
    ['/\\..\\x', 404],
    ['/api/v1/vision/results/%00', 401],
  ])('%s is answered in the envelope with %i', async (path, status) => {
    const answer = await get(path, []);
    const code = { 400: 'BAD_REQUEST', 401: 'UNAUTHORIZED', 404: 'NOT_FOUND' }[status] ?? '';
    expectRawRefusal(answer, status, code);
  });

  it('takes a query of 12 KB', async () => {
    expectRawRefusal(await get(`/nothing?${'a=1&'.repeat(3_000)}`), 404, 'NOT_FOUND');
  });

  it('431 for a path of 20 KB', async () => {
    expectRawRefusal(await get(`/${'a'.repeat(20_000)}`), 431, 'HEADERS_TOO_LARGE');
  });

  it('serves an address in absolute form', async () => {
    const answer = await get('http://elsewhere.example/api/v1/health', []);
    expect(answer.status).toBe(200);
    expect(answer.body.service).toBe('platform');
  });

  it('400 for raw bytes and blanks in the path', async () => {
    for (const path of ['/a\0b', '/a b', '/\x7f\x01']) expectRawRefusal(await get(path, []), 400, 'BAD_REQUEST');
  });

  it.each([
    ['TRACE', DATA, 405, 'METHOD_NOT_ALLOWED'],
    ['PROPFIND', DATA, 405, 'METHOD_NOT_ALLOWED'],
    ['TRACE', '/', 404, 'NOT_FOUND'],
    ['CONNECT', 'example.com:443', 405, 'METHOD_NOT_ALLOWED'],
    ['BREW', DATA, 400, 'BAD_REQUEST'],
    ['get', DATA, 400, 'BAD_REQUEST'],
    ['QUERY', DATA, 405, 'METHOD_NOT_ALLOWED'],
  ])('%s %s: %i', async (method, path, status, code) => {
    expectRawRefusal(await request(`${method} ${path} HTTP/1.1\r\nHost: x`), status, code);
  });

  it.each(['GET / HTTP/9.9', 'GET / HTTP/0.9', 'GET /', '\x16\x03\x01\x02\x00\x01\x00', 'PRI * HTTP/2.0\r\n\r\nSM'])(
    '400 for %j',
    async (line) => {
      expectRawRefusal(await request(line), 400, 'BAD_REQUEST');
    },
  );

  it('has an answer for OPTIONS * and for an upgrade that is not offered', async () => {
    expect((await request('OPTIONS * HTTP/1.1\r\nHost: x')).status).toBeLessThan(500);
    const upgrade = ['Connection: Upgrade', 'Upgrade: websocket', `X-API-Key: ${key}`];
    expect((await get(DATA, upgrade)).status).toBe(200);
  });
});

it('whatever was sent above, the server is there, and nothing of it came unexpected', async () => {
  expect((await post(LIST)).status).toBe(200);
  expect(api.logLines.filter((line) => line.includes('unexpected error'))).toEqual([]);
});
