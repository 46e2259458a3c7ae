import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { Client as ModernClient, StreamableHTTPClientTransport as ModernTransport } from '@modelcontextprotocol/client';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { actions } from '../../api/registry.ts';
import { startApi } from './support.ts';
import type { ApiFixture } from './support.ts';

let api: ApiFixture;
beforeAll(async () => {
  api = await startApi({ RATE_LIMIT_DISABLED: 'true' });
});
afterAll(() => api.close());

interface Result {
  isError?: boolean;
  structuredContent?: unknown;
  content: { type: string; text?: string }[];
}

/** What the tests use of either client. */
interface Connected {
  protocol: string;
  tools: () => Promise<{ name: string }[]>;
  call: (name: string, args: Record<string, unknown>) => Promise<Result>;
  close: () => Promise<void>;
}

const ME = { name: 'acceptance', version: '1.0.0' };
const address = () => new URL(`${api.url}/api/v1/public/mcp`);
const withKey = (apiKey: string, more: Record<string, string> = {}) => ({
  requestInit: { headers: { 'X-API-Key': apiKey, ...more } },
});

async function sdk1(apiKey: string, more?: Record<string, string>): Promise<Connected> {
  const client = new Client(ME);
  const transport = new StreamableHTTPClientTransport(address(), withKey(apiKey, more));
  await client.connect(transport);
  return {
    protocol: transport.protocolVersion ?? '',
    tools: async () => (await client.listTools()).tools,
    call: async (name, args) => (await client.callTool({ name, arguments: args })) as Result,
    close: () => client.close(),
  };
}

async function sdk2(apiKey: string, mode?: 'auto'): Promise<Connected> {
  const client = new ModernClient(ME, mode === undefined ? {} : { versionNegotiation: { mode } });
  await client.connect(new ModernTransport(address(), withKey(apiKey)));
  return {
    protocol: client.getNegotiatedProtocolVersion() ?? '',
    tools: async () => (await client.listTools()).tools,
    call: async (name, args) => (await client.callTool({ name, arguments: args })) as Result,
    close: () => client.close(),
  };
}

describe.each<[string, string, (apiKey: string) => Promise<Connected>]>([
  ['@modelcontextprotocol/sdk 1.x', '2025-11-25', sdk1],
  ['@modelcontextprotocol/client 2.x', '2025-11-25', (apiKey) => sdk2(apiKey)],
  ['@modelcontextprotocol/client 2.x with version negotiation', '2026-07-28', (apiKey) => sdk2(apiKey, 'auto')],
])('%s, unmodified, with the key in a header', (_client, revision, connect) => {
  let connected: Connected | undefined;
  afterEach(() => connected?.close());
  const open = async (scopes: readonly string[] = ['*']): Promise<Connected> => {
    connected = await connect(await api.acme.key(scopes));
    return connected;
  };

  it(`speaks ${revision} and lists every tool`, async () => {
    const { protocol, tools } = await open();
    expect(protocol).toBe(revision);
    expect((await tools()).map((tool) => tool.name)).toEqual([...actions.keys()]);
  });

  it('writes, then reads what it wrote, both held against the outputSchema', async () => {
    const client = await open();
    await client.tools();
    const created = await client.call('create-work-item', { item_type: 'job', title: 'By an agent' });
    expect(created.isError).toBe(false);
    const { work_item_id } = (created.structuredContent as { data: { work_item_id: string } }).data;
    const read = await client.call('get-work-item', { work_item_id });
    expect(read.structuredContent).toMatchObject({ success: true, data: { work_item_id, title: 'By an agent' } });
    expect(JSON.parse(read.content[0]?.text ?? '')).toEqual(read.structuredContent);
  });

  it('is told what a tool refuses, as a result', async () => {
    const client = await open(['work_items:read']);
    await client.tools();
    const refused: [string, Record<string, unknown>, string][] = [
      ['no-such-tool', {}, 'INVALID_ACTION'],
      ['create-work-item', { item_type: 'job', title: 'x' }, 'SCOPE_REQUIRED'],
      ['list-work-items', { limit: 'many' }, 'BAD_REQUEST'],
    ];
    for (const [name, args, code] of refused) {
      const result = await client.call(name, args);
      expect(result.isError).toBe(true);
      expect(JSON.parse(result.content[0]?.text ?? '')).toMatchObject({ error: { code } });
    }
  });

  it('is refused without a key that counts', async () => {
    await expect(connect('svc_sk_wrong')).rejects.toThrow(/401|INVALID_API_KEY|[Uu]nauthorized/);
  });
});

it('a client on an older dated version takes its answers, which lack what was added since', async () => {
  const client = await sdk1(await api.acme.key(), { 'X-API-Version': '2026-01-01' });
  expect((await client.tools()).map((tool) => tool.name)).toEqual([...actions.keys()]);
  const created = await client.call('create-work-item', { item_type: 'job', title: 'Of an older client' });
  const { work_item_id } = (created.structuredContent as { data: { work_item_id: string } }).data;
  const { structuredContent } = await client.call('get-work-item', { work_item_id });
  expect((structuredContent as { data: object }).data).not.toHaveProperty('assigned_contractors');
  await client.close();
});
