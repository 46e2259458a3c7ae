import { execute } from '../api/execute.ts';
import type { Services } from '../api/services.ts';
import { operations } from '../api/registry.ts';
import { CURRENT_VERSION } from '../api/versions.ts';
import type { Caller } from '../domain/contracts/caller.ts';
import type { Vault } from '../platform/crypto.ts';
import { unprepared } from '../platform/db/statement.ts';
import type { Statement } from '../platform/db/statement.ts';
import type { TenantDatabase } from '../platform/db/database.ts';
import type { TenantTransaction } from '../platform/db/transaction.ts';

interface PlanNode {
  'Node Type': string;
  'Index Name'?: string;
  'Relation Name'?: string;
  'Function Name'?: string;
  Plans?: PlanNode[];
}

const LARGE = new Set([
  'work_items',
  'work_item_assignees',
  'work_item_counts',
  'employees',
  'events',
  'deliveries',
  'delivery_attempts',
]);

/** The indexes that an operation's statements use, as role app behind row-level security, and the large tables that it scans. */
export async function indexesOf(
  tenants: TenantDatabase,
  caller: Caller,
  { name, input, vault }: { name: string; input: unknown; vault?: Vault },
): Promise<string> {
  const reader = tenants.reader(caller.clientId);
  const used = new Set<string>();
  const watching: TenantTransaction = {
    ...reader,
    clientId: caller.clientId,
    query: async (statement: Statement, values: readonly unknown[] = []) => {
      const [row] = await reader.query<{ 'QUERY PLAN': { Plan: PlanNode }[] }>(
        unprepared(`explain (format json) ${statement.text}`),
        values,
      );
      note(row?.['QUERY PLAN'][0]?.Plan, used);
      return reader.query(statement, values) as never;
    },
  };
  const services = { tenants: { reader: () => watching }, clock: { now: Date.now }, vault } as unknown as Services;
  const request = { requestId: 'bench', address: null, version: CURRENT_VERSION, setHeader: () => undefined };
  const operation = operations.find((one) => one.name === name);
  if (operation === undefined || operation.unit === 'open') throw new Error(`there is no operation ${name} of clients`);
  await execute(operation, { caller, services, request }, input);
  return [...used].sort().join(', ');
}

function note(node: PlanNode | undefined, used: Set<string>): void {
  if (node === undefined) return;
  const { 'Index Name': index, 'Relation Name': table, 'Function Name': called } = node;
  if (index !== undefined) used.add(index.replace(/^work_items?_|_index$/g, ''));
  // Inside this function stands the search index alone: other plans are forbidden there.
  if (called === 'find_work_items') used.add('search (GIN)');
  if (node['Node Type'] === 'Seq Scan' && table !== undefined && LARGE.has(table)) used.add(`ALL OF ${table}`);
  for (const inner of node.Plans ?? []) note(inner, used);
}
