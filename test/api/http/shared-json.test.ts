import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { gunzipSync } from 'node:zlib';
import { request } from 'undici';
import { startApi } from '../support.ts';
import type { ApiFixture } from '../support.ts';

const DATA = '/api/v1/public/data';
const MCP = '/api/v1/public/mcp';

let api: ApiFixture;
let key: string;
beforeAll(async () => {
  api = await startApi();
  key = await api.acme.key(['*']);
});
afterAll(() => api.close());

/** As it comes over the wire: this client opens nothing. */
async function ask(path: string, { encoding, body, method }: { encoding?: string; body?: unknown; method?: 'HEAD' }) {
  const answer = await request(`${api.url}${path}`, {
    method: method ?? (body === undefined ? 'GET' : 'POST'),
    headers: {
      'x-api-key': key,
      ...(encoding === undefined ? {} : { 'accept-encoding': encoding }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const bytes = Buffer.from(await answer.body.arrayBuffer());
  const { 'content-encoding': sentAs, 'content-length': length, vary } = answer.headers;
  return { bytes, sentAs, length: Number(length), vary: String(vary) };
}

const list = (id: unknown) => ({ jsonrpc: '2.0', id, method: 'tools/list' });
/** All but the id of the request, which no two answers share. */
function shownIn(bytes: Buffer): unknown {
  const { meta: _, ...shown } = JSON.parse(bytes.toString()) as Record<string, unknown>;
  return shown;
}

describe('an answer that many are sent alike', () => {
  it.each([
    ['the tools of MCP', MCP, list('größe “7”')],
    ['the discovery', DATA, undefined],
    ['the tool catalogue for OpenAI', `${DATA}/tools?format=openai`, undefined],
    ['the OpenAPI document', '/openapi.json', undefined],
  ])('comes compressed to whoever takes gzip, and is the same: %s', async (_, path, body) => {
    const plain = await ask(path, { body });
    const small = await ask(path, { body, encoding: 'gzip, deflate' });
    expect([plain.sentAs, small.sentAs]).toEqual([undefined, 'gzip']);
    expect(shownIn(gunzipSync(small.bytes))).toEqual(shownIn(plain.bytes));
    expect([plain.bytes.length, small.bytes.length]).toEqual([plain.length, small.length]);
    expect(small.bytes.length * 4).toBeLessThan(plain.bytes.length);
    for (const { vary } of [plain, small]) expect(vary).toMatch(/accept-encoding/i);
  });

  it('is the same whatever the length of what is its own', async () => {
    for (const length of [65_535 - '{"jsonrpc":"2.0","id":"","result":{'.length, 65_535, 200_000]) {
      const id = 'i'.repeat(length);
      const { bytes, sentAs } = await ask(MCP, { body: list(id), encoding: 'gzip' });
      expect(sentAs).toBe('gzip');
      expect(JSON.parse(gunzipSync(bytes).toString())).toMatchObject({ id, result: { tools: expect.any(Array) } });
    }
  });

  it.each([
    ['gzip;q=0', undefined],
    ['br', undefined],
    ['identity, gzip;q=0.5', undefined],
    ['*', 'gzip'],
    ['br;q=1.0, gzip;q=0.8', 'gzip'],
  ])('heeds Accept-Encoding: %s', async (encoding, sentAs) => {
    expect((await ask(DATA, { encoding })).sentAs).toBe(sentAs);
  });

  it('has no body for HEAD, and says how long it would be', async () => {
    const asked = await ask(DATA, { encoding: 'gzip' });
    const head = await ask(DATA, { encoding: 'gzip', method: 'HEAD' });
    expect(head).toMatchObject({ sentAs: 'gzip', length: asked.length });
    expect(head.bytes).toHaveLength(0);
  });
});
