import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { expectRefusal, startApi } from './support.ts';
import type { ApiFixture } from './support.ts';

let api: ApiFixture;
let key: string;
beforeAll(async () => {
  api = await startApi();
  key = await api.acme.key();
});
afterAll(() => api.close());

const send = (body: string | object, apiKey = key) =>
  api
    .http()
    .post('/api/v1/public/mcp')
    .set('X-API-Key', apiKey)
    .set('Content-Type', 'application/json')
    .set('Accept', 'application/json, text/event-stream')
    .send(body);
const rpc = (method: string, params?: unknown, id: unknown = 1) => send({ jsonrpc: '2.0', id, method, params });
const call = (name: unknown, args?: unknown, apiKey = key) =>
  send({ jsonrpc: '2.0', id: 'c', method: 'tools/call', params: { name, arguments: args } }, apiKey);

describe('initialize', () => {
  it.each([
    ['2025-11-25', '2025-11-25'],
    ['2024-11-05', '2024-11-05'],
    ['1999-01-01', '2025-11-25'],
  ])('asked for %s answers %s', async (protocolVersion, answered) => {
    const { body } = await rpc('initialize', { protocolVersion, capabilities: {}, clientInfo: { name: 't' } });
    expect(body).toMatchObject({
      jsonrpc: '2.0',
      id: 1,
      result: { protocolVersion: answered, capabilities: { tools: { listChanged: false } }, serverInfo: {} },
    });
  });
});

describe('ping and notifications', () => {
  it('answers ping with an empty result and the id it came with, strings and 0 included', async () => {
    for (const id of [0, 7, 'seven']) {
      expect((await rpc('ping', undefined, id)).body).toEqual({ jsonrpc: '2.0', id, result: {} });
    }
  });

  it.each(['notifications/initialized', 'notifications/cancelled', 'notifications/unheard-of'])(
    'answers 202 without a body to %s',
    async (method) => {
      const answer = await send({ jsonrpc: '2.0', method });
      expect(answer.status).toBe(202);
      expect(answer.text).toBe('');
    },
  );
});

describe('tools/list', () => {
  it('lists the tools of the catalogue, in the same order each time, for a key without scopes', async () => {
    const bare = await api.acme.key([]);
    const first = await send({ jsonrpc: '2.0', id: 1, method: 'tools/list' }, bare);
    const catalogue = await api.http().get('/api/v1/public/data/tools').set('X-API-Key', bare);
    expect(first.body.result.tools).toEqual(catalogue.body.tools);
    expect((await rpc('tools/list')).body.result).toEqual(first.body.result);
    const tools = Object.fromEntries(first.body.result.tools.map((tool: { name: string }) => [tool.name, tool]));
    expect(tools['get-work-item'].annotations).toMatchObject({ readOnlyHint: true, destructiveHint: false });
    expect(tools['create-work-item'].annotations).toMatchObject({ readOnlyHint: false });
    expect(tools['get-work-item'].outputSchema).toMatchObject({ type: 'object' });
  });
});

describe('tools/call', () => {
  it('answers the Public Data answer as text and as structured content', async () => {
    const { body } = await call('create-work-item', { item_type: 'job', title: 'By an agent' });
    expect(body).toMatchObject({ id: 'c', result: { isError: false } });
    const { content, structuredContent } = body.result;
    expect(content).toEqual([{ type: 'text', text: JSON.stringify(structuredContent) }]);
    expect(structuredContent).toMatchObject({ success: true, data: { title: 'By an agent' } });
    const { work_item_id } = structuredContent.data;
    const { body: read } = await call('get-work-item', { work_item_id });
    expect(read.result.structuredContent.data.work_item_id).toBe(work_item_id);
  });

  it('answers a refusal as a result with isError', async () => {
    const bare = await api.acme.key([]);
    const refusals: [Promise<{ body: { result: { isError: boolean; content: { text: string }[] } } }>, string][] = [
      [call('no-such-tool', {}), 'INVALID_ACTION'],
      [call('create-work-item', { item_type: 'job', title: 'x' }, bare), 'SCOPE_REQUIRED'],
      [call('create-work-item', { item_type: 'job', title: 1 }), 'BAD_REQUEST'],
      [call('get-work-item', { work_item_id: '0198c5c8-27ba-7c4e-8a3d-5f1c0e7b9a10' }), 'NOT_FOUND'],
    ];
    for (const [answered, code] of refusals) {
      const { result } = (await answered).body;
      expect(result.isError).toBe(true);
      expect(JSON.parse(result.content[0]!.text)).toMatchObject({ success: false, error: { code } });
    }
  });

  it('does not let the arguments choose another action', async () => {
    const { body } = await call('list-work-items', { action: 'create-work-item' });
    expect(body.result.isError).toBe(true);
    expect(JSON.parse(body.result.content[0].text).error.details).toEqual([
      { field: 'action', issue: expect.stringContaining('not a known field') },
    ]);
  });

  it('runs a call with an Idempotency-Key once', async () => {
    const again = () =>
      call('create-work-item', { item_type: 'job', title: 'Once' }).set('Idempotency-Key', 'mcp-once');
    const [first, second] = [await again(), await again()];
    expect(second.body.result.structuredContent.data).toEqual(first.body.result.structuredContent.data);
    expect(second.headers['idempotency-replayed']).toBe('true');
  });
});

describe('a body that is refused before it is read', () => {
  it('is 415 or 413 in the envelope, as everywhere', async () => {
    const post = () => api.http().post('/api/v1/public/mcp').set('X-API-Key', key);
    expectRefusal(await post().set('Content-Type', 'text/plain').send('{}'), 415, 'UNSUPPORTED_MEDIA_TYPE');
    expectRefusal(await post().send({ text: 'x'.repeat(1_100_000) }), 413, 'PAYLOAD_TOO_LARGE');
  });
});

describe('JSON-RPC errors', () => {
  it.each<[string, string | object, number, number, unknown]>([
    ['no JSON', '{"jsonrpc"', 400, -32_700, null],
    ['no version', { id: 4, method: 'ping' }, 400, -32_600, 4],
    ['no method', { jsonrpc: '2.0', id: 'x' }, 400, -32_600, 'x'],
    ['an unknown method', { jsonrpc: '2.0', id: 5, method: 'resources/list' }, 200, -32_601, 5],
    ['a call without name', { jsonrpc: '2.0', id: 6, method: 'tools/call', params: {} }, 200, -32_602, 6],
    ['params that are a list', { jsonrpc: '2.0', id: 8, method: 'ping', params: [1] }, 200, -32_602, 8],
    ['initialize without a version', { jsonrpc: '2.0', id: 7, method: 'initialize' }, 200, -32_602, 7],
  ])('%s', async (_what, body, status, code, id) => {
    const answer = await send(body);
    expect(answer.status).toBe(status);
    expect(answer.body).toEqual({ jsonrpc: '2.0', id, error: { code, message: expect.any(String) } });
  });

  it('refuses an unknown MCP-Protocol-Version with 400, and takes a known one', async () => {
    const ping = { jsonrpc: '2.0', id: 1, method: 'ping' };
    expect((await send(ping).set('MCP-Protocol-Version', '2001-01-01')).status).toBe(400);
    expect((await send(ping).set('MCP-Protocol-Version', '2025-06-18')).status).toBe(200);
  });
});

describe('a batch, as revision 2025-03-26 has it', () => {
  const ping = (id: number) => ({ jsonrpc: '2.0', id, method: 'ping' });

  it('has an answer to each request and none to notifications; a wrong one touches no other', async () => {
    const tool = { name: 'create-work-item', arguments: { item_type: 'job', title: 'One of several' } };
    const answer = await send([
      ping(1),
      { jsonrpc: '2.0', method: 'notifications/initialized' },
      { jsonrpc: '2.0', id: 'made', method: 'tools/call', params: tool },
      { jsonrpc: '2.0', id: 3, method: 'resources/list' },
      { jsonrpc: '2.0', id: 4, method: 'initialize', params: { protocolVersion: '2025-03-26' } },
      { id: 5 },
    ]).set('MCP-Protocol-Version', '2025-03-26');
    expect(answer.status).toBe(200);
    const byId = Object.fromEntries(answer.body.map((one: { id: unknown }) => [one.id, one]));
    expect(byId).toEqual({
      1: { jsonrpc: '2.0', id: 1, result: {} },
      made: expect.objectContaining({ result: expect.objectContaining({ isError: false }) }),
      3: expect.objectContaining({ error: expect.objectContaining({ code: -32_601 }) }),
      4: expect.objectContaining({ error: expect.objectContaining({ code: -32_600 }) }),
      5: expect.objectContaining({ error: expect.objectContaining({ code: -32_600 }) }),
    });
  });

  it('of notifications alone is 202 without a body', async () => {
    const answer = await send([{ jsonrpc: '2.0', method: 'notifications/initialized' }]);
    expect({ status: answer.status, text: answer.text }).toEqual({ status: 202, text: '' });
  });

  it.each<[string, unknown[], Record<string, string>]>([
    ['nothing in it', [], {}],
    ['101 messages', Array.from({ length: 101 }, (_, id) => ping(id)), {}],
    ['another revision', [ping(1)], { 'MCP-Protocol-Version': '2025-06-18' }],
    ['an Idempotency-Key', [ping(1)], { 'Idempotency-Key': 'of-a-batch' }],
  ])('with %s is no request', async (_what, messages, headers) => {
    const answer = await send(messages).set(headers);
    expect(answer.status).toBe(400);
    expect(answer.body).toEqual({ jsonrpc: '2.0', id: null, error: { code: -32_600, message: expect.any(String) } });
  });
});

describe('the transport', () => {
  it('answers 405 to GET and DELETE, and 401 without a key', async () => {
    for (const method of ['get', 'delete'] as const) {
      const answer = await api.http()[method]('/api/v1/public/mcp').set('X-API-Key', key);
      expectRefusal(answer, 405, 'METHOD_NOT_ALLOWED');
      expect(answer.headers['allow']).toContain('POST');
    }
    expectRefusal(await api.http().post('/api/v1/public/mcp').send({}), 401, 'UNAUTHORIZED');
  });
});
