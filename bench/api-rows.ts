import type { LimitKind } from './limits/tables.ts';
import { wireRequest } from './load-client.ts';
import type { BenchStack } from './stack.ts';
import { BenchTenants } from './tenants.ts';
import type { BenchKey } from './tenants.ts';

export interface Row {
  name: string;
  requests: readonly string[];
  /** What one request counts as: 100 for a batch of 100. */
  operations: number;
  /** What it is held against: a limit row, or another of our own rows by its name. */
  of: LimitKind | (string & {});
  target: number;
  expectedStatus: number;
  /** Of a used-up key one request a minute gets through. */
  toleratedStatus?: number | undefined;
}

export const CLIENTS = 100;
export const KEYS_PER_CLIENT = 3;
/** So many that a key's second request comes when its first has long left the cache. */
const UNCACHED_KEYS_PER_CLIENT = 200;
const EXHAUSTED_KEYS = 30;
const BATCH_SIZE = 100;
const DATA = '/api/v1/public/data';
const MCP = '/api/v1/public/mcp';
const READ = 'get-work-item';
export const WORK_ITEM = {
  item_type: 'job',
  title: 'Replace the pump at the north gate',
  priority: 'high',
  tags: ['pump'],
};
const CREATE = { action: 'create-work-item', ...WORK_ITEM };

/** A key, and a work item of its client. */
interface KeyWithItem extends BenchKey {
  itemId: string;
}

/** The paths of the API that are measured, over keys and work items made for them. */
export async function apiRows(stack: BenchStack): Promise<Row[]> {
  const tenants = new BenchTenants(stack);
  const keys: KeyWithItem[] = [];
  for (const key of await tenants.create(CLIENTS, KEYS_PER_CLIENT)) {
    keys.push({ ...key, itemId: await createItem(stack, key) });
  }
  const manyKeys = await tenants.create(CLIENTS, UNCACHED_KEYS_PER_CLIENT);
  const exhausted = await tenants.create(1, EXHAUSTED_KEYS, 1);
  for (const key of exhausted) await useUp(stack, key);
  await tenants.close();
  return [...readRows(keys, manyKeys), ...writeRows(keys), ...agentRows(keys), ...cheapRows(exhausted)];
}

function readRows(keys: readonly KeyWithItem[], manyKeys: readonly BenchKey[]): Row[] {
  const list = { action: 'list-work-items', limit: 1 };
  const batch = ({ itemId }: KeyWithItem): unknown => ({
    operations: Array.from({ length: BATCH_SIZE }, () => ({ action: READ, params: { work_item_id: itemId } })),
  });
  return [
    row(READ, 'select', 0.6, keys, (key) => post(key, DATA, { action: READ, work_item_id: key.itemId })),
    row('list-work-items of 1, key not cached', 'select', 0.4, manyKeys, (key) => post(key, DATA, list)),
    row('batch of 100 reads (operations)', 'select', 1, keys, (key) => post(key, `${DATA}/batch`, batch(key)), {
      operations: BATCH_SIZE,
    }),
  ];
}

function writeRows(keys: readonly KeyWithItem[]): Row[] {
  // Keys of one client share their Idempotency-Keys' space: a name of its own for each.
  const keyed = (name: string) => (key: BenchKey, index: number) =>
    post(key, DATA, CREATE, { 'Idempotency-Key': `${name}-${String(index)}` });
  return [
    row('create-work-item', 'insert', 0.3, keys, keyed('bench-{n}')),
    row('idempotent replay', 'select', 0.6, keys, keyed('replayed')),
  ];
}

function agentRows(keys: readonly KeyWithItem[]): Row[] {
  const list = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
  const call = ({ itemId }: KeyWithItem): unknown => ({
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: { name: READ, arguments: { work_item_id: itemId } },
  });
  return [
    row(`MCP tools/call of ${READ}`, READ, 0.85, keys, (key) => post(key, MCP, call(key))),
    // As the official clients ask: each `fetch` takes gzip.
    row('MCP tools/list, gzip', 'bare', 0.25, keys, (key) =>
      post(key, MCP, list, { 'Accept-Encoding': 'gzip, deflate' }),
    ),
    row('MCP tools/list, not compressed', 'bare', 0.25, keys, (key) => post(key, MCP, list)),
  ];
}

function cheapRows(exhausted: readonly BenchKey[]): Row[] {
  const health = wireRequest({ method: 'GET', path: '/api/v1/health' });
  return [
    row('429 answer', 'bare', 0.5, exhausted, (key) => post(key, DATA, { action: 'list-work-items' }), {
      expectedStatus: 429,
      toleratedStatus: 200,
    }),
    row('GET /api/v1/health', 'bare', 0.8, [undefined], () => health),
  ];
}

function row<Key>(
  name: string,
  of: Row['of'],
  target: number,
  keys: readonly Key[],
  request: (key: Key, index: number) => string,
  { operations = 1, expectedStatus = 200, toleratedStatus }: Partial<Row> = {},
): Row {
  const requests = keys.map((key, index) => request(key, index));
  return { name, of, target, operations, expectedStatus, toleratedStatus, requests };
}

function post({ apiKey }: BenchKey, path: string, body: unknown, headers: Record<string, string> = {}): string {
  return wireRequest({ method: 'POST', path, headers: { 'X-API-Key': apiKey, ...headers }, body });
}

async function createItem({ apiUrl }: BenchStack, { apiKey }: BenchKey): Promise<string> {
  const response = await fetch(apiUrl + DATA, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': apiKey },
    body: JSON.stringify(CREATE),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`create-work-item answered ${String(response.status)}: ${text}`);
  return (JSON.parse(text) as { data: { work_item_id: string } }).data.work_item_id;
}

/** Uses up a key whose limit is one request a minute. */
async function useUp({ apiUrl }: BenchStack, { apiKey }: BenchKey): Promise<void> {
  await fetch(apiUrl + DATA, { headers: { 'x-api-key': apiKey } });
}
