import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { loadConfig } from '../../platform/config.ts';
import { expectRefusal, startApi } from './support.ts';
import type { ApiFixture } from './support.ts';

const REVISION = '2026-07-28';
const SUPPORTED = [REVISION, '2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05'];
const VERSION_KEY = 'io.modelcontextprotocol/protocolVersion';
const CAPABILITIES_KEY = 'io.modelcontextprotocol/clientCapabilities';
const META = { [VERSION_KEY]: REVISION, [CAPABILITIES_KEY]: {} };

let api: ApiFixture;
let key: string;
beforeAll(async () => {
  api = await startApi({ RATE_LIMIT_DISABLED: 'true' });
  key = await api.acme.key();
});
afterAll(() => api.close());

type Headers = Record<string, string>;

const post = (body: object, headers: Headers = {}) =>
  api
    .http()
    .post('/api/v1/public/mcp')
    .set({ 'X-API-Key': key, ...headers })
    .send(body);

/** A request of this revision as a client sends it, but for what is said otherwise. */
function send(method: string, params: object = {}, { headers = {}, id = 1 } = {}) {
  const { name } = params as { name?: string };
  const usual = {
    'MCP-Protocol-Version': REVISION,
    'Mcp-Method': method,
    ...(name === undefined ? {} : { 'Mcp-Name': name }),
  };
  return post({ jsonrpc: '2.0', id, method, params: { _meta: META, ...params } }, { ...usual, ...headers });
}

const SERVER = { 'io.modelcontextprotocol/serverInfo': expect.objectContaining({ name: 'business-platform' }) };

describe('results', () => {
  it('server/discover names the revisions, the capabilities and the server, and may be kept', async () => {
    const { status, body } = await send('server/discover');
    expect(status).toBe(200);
    expect(body.result).toEqual({
      resultType: 'complete',
      ttlMs: 300_000,
      cacheScope: 'public',
      supportedVersions: SUPPORTED,
      capabilities: { tools: { listChanged: false } },
      instructions: expect.any(String),
      _meta: SERVER,
    });
  });

  it('tools/list has the tools of the other era, and may be kept', async () => {
    const { body } = await send('tools/list');
    const { body: older } = await post({ jsonrpc: '2.0', id: 1, method: 'tools/list' });
    expect(body.result).toEqual({
      resultType: 'complete',
      ttlMs: 300_000,
      cacheScope: 'public',
      tools: older.result.tools,
      _meta: SERVER,
    });
    expect(Object.keys(older.result)).toEqual(['tools']);
  });

  it('tools/call answers complete, a refusal too', async () => {
    const done = await send('tools/call', { name: 'list-work-items', arguments: { limit: 1 } });
    expect(done.body.result).toMatchObject({ resultType: 'complete', isError: false, _meta: SERVER });
    expect(done.body.result.structuredContent).toMatchObject({ success: true, data: { work_items: [] } });
    const refused = await send('tools/call', { name: 'no-such-tool' });
    expect(refused.status).toBe(200);
    expect(refused.body.result).toMatchObject({ resultType: 'complete', isError: true });
    expect(refused.body.result.content[0].text).toContain('INVALID_ACTION');
  });

  it('takes a request without clientInfo, a name in base64, and a notification without the headers', async () => {
    const name = `=?base64?${Buffer.from('list-work-items').toString('base64')}?=`;
    const params = { name: 'list-work-items' };
    expect((await send('tools/call', params, { headers: { 'Mcp-Name': name } })).status).toBe(200);
    const told = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { _meta: META, requestId: 1 } };
    expect((await post(told)).status).toBe(202);
  });
});

describe('refusals', () => {
  const cases: [string, () => ReturnType<typeof send>, number, number][] = [
    ['no _meta', () => send('server/discover', { _meta: undefined }), 400, -32_602],
    ['no revision', () => send('tools/list', { _meta: { [CAPABILITIES_KEY]: {} } }), 400, -32_602],
    ['no capabilities', () => send('tools/list', { _meta: { [VERSION_KEY]: REVISION } }), 400, -32_602],
    ['a revision of another type', () => send('tools/list', { _meta: { ...META, [VERSION_KEY]: 7 } }), 400, -32_602],
    [
      'a header of another revision than the body',
      () => send('tools/list', {}, { headers: { 'MCP-Protocol-Version': '2025-11-25' } }),
      400,
      -32_020,
    ],
    ['no version header', () => post(bare('tools/list'), { 'Mcp-Method': 'tools/list' }), 400, -32_020],
    ['no method header', () => post(bare('tools/list'), { 'MCP-Protocol-Version': REVISION }), 400, -32_020],
    ['another method', () => send('tools/list', {}, { headers: { 'Mcp-Method': 'TOOLS/LIST' } }), 400, -32_020],
    ['another tool', () => call({ 'Mcp-Name': 'create-work-item' }), 400, -32_020],
    ['a name in no base64', () => call({ 'Mcp-Name': '=?base64?bGlz!!!?=' }), 400, -32_020],
    ['initialize', () => send('initialize', { protocolVersion: REVISION }), 404, -32_601],
    ['ping', () => send('ping'), 404, -32_601],
    ['subscriptions/listen', () => send('subscriptions/listen'), 404, -32_601],
    ['a cursor', () => send('tools/list', { cursor: 'next' }), 200, -32_602],
    ['a call without a name', () => send('tools/call', { arguments: {} }), 200, -32_602],
  ];

  it.each(cases)('%s', async (_what, ask, status, code) => {
    const answer = await ask();
    expect(answer.status).toBe(status);
    expect(answer.body).toEqual({ jsonrpc: '2.0', id: 1, error: { code, message: expect.any(String) } });
  });

  it('an unknown revision, with those that are known', async () => {
    const params = { _meta: { ...META, [VERSION_KEY]: 'v999' } };
    const answer = await send('tools/list', params, { headers: { 'MCP-Protocol-Version': 'v999' } });
    expect(answer.status).toBe(400);
    const data = { supported: SUPPORTED, requested: 'v999' };
    expect(answer.body.error).toEqual({ code: -32_022, message: expect.any(String), data });
  });

  it('missing Mcp-Name of a call', async () => {
    const body = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { _meta: META, name: 'list-work-items' } };
    const answer = await post(body, { 'MCP-Protocol-Version': REVISION, 'Mcp-Method': 'tools/call' });
    expect(answer.body.error).toMatchObject({ code: -32_020 });
  });

  const bare = (method: string): object => ({ jsonrpc: '2.0', id: 1, method, params: { _meta: META } });
  const call = (headers: Headers): ReturnType<typeof send> =>
    send('tools/call', { name: 'list-work-items' }, { headers });
});

describe('origins', () => {
  let guarded: ApiFixture;
  beforeAll(async () => {
    guarded = await startApi({ MCP_ALLOWED_ORIGINS: 'https://agents.example' });
  });
  afterAll(() => guarded.close());

  const ping = { jsonrpc: '2.0', id: 1, method: 'ping' };

  it('are not looked at where none are named', async () => {
    expect((await post(ping, { Origin: 'https://evil.example' })).status).toBe(200);
  });

  it('are refused where others are named; no origin at all is a program, and welcome', async () => {
    const apiKey = await guarded.acme.key();
    const from = (headers: Headers) =>
      guarded
        .http()
        .post('/api/v1/public/mcp')
        .set({ 'X-API-Key': apiKey, ...headers })
        .send(ping);
    expectRefusal(await from({ Origin: 'https://evil.example' }), 403, 'FORBIDDEN');
    expect((await from({ Origin: 'https://agents.example' })).status).toBe(200);
    expect((await from({})).status).toBe(200);
  });
});

describe('the fixture tools of the conformance tester', () => {
  const namesOf = (body: { result: { tools: { name: string }[] } }) =>
    body.result.tools.map((tool) => tool.name).filter((name) => name.startsWith('test_'));

  it('are not there', async () => {
    expect(namesOf((await send('tools/list')).body)).toEqual([]);
    const called = await send('tools/call', { name: 'test_simple_text' });
    expect(called.body.result.isError).toBe(true);
  });

  it('are there where they were asked for, which production refuses', async () => {
    const fixture = await startApi({ MCP_FIXTURE_TOOLS: 'true' });
    const apiKey = await fixture.acme.key([]);
    const ask = (method: string, params: object) =>
      fixture
        .http()
        .post('/api/v1/public/mcp')
        .set('X-API-Key', apiKey)
        .send({ jsonrpc: '2.0', id: 1, method, params });
    expect(namesOf((await ask('tools/list', {})).body)).toContain('test_simple_text');
    const called = await ask('tools/call', { name: 'test_simple_text' });
    expect(called.body.result.content[0]).toMatchObject({ type: 'text' });
    await fixture.close();
    const production = { ...process.env, NODE_ENV: 'production', MCP_FIXTURE_TOOLS: 'true' };
    expect(() => loadConfig(production)).toThrow('MCP_FIXTURE_TOOLS');
  });
});
