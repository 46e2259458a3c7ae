import { MAX_COUNTED, pageOf } from '../contracts/common.ts';
import type { Page } from '../contracts/common.ts';
import type { ListWorkItemsInput, WorkItem } from '../contracts/work-items.ts';
import { statement, unprepared } from '../../platform/db/statement.ts';
import type { Statement } from '../../platform/db/statement.ts';
import type { TenantTransaction } from '../../platform/db/transaction.ts';
import { CommonSearches } from './common-searches.ts';
import { countedFilters, facetsOf, orderOf, otherFilters } from './list.rules.ts';
import type { Filter } from './list.rules.ts';
import { COLUMNS, viewOf } from './work-item.view.ts';
import type { WorkItemRow } from './work-item.view.ts';

/** A statement from the filters in use, no more: `$2 is null or …` would keep the planner from the index that fits. */
class Query {
  readonly values: unknown[];
  readonly put = (value: unknown): string => `$${String(this.values.push(value))}`;

  constructor(clientId: number) {
    this.values = [clientId];
  }

  /** `isHot`: of few forms, each with an index that fits whatever the values are. */
  run<R extends Record<string, unknown>>(tx: TenantTransaction, text: string, isHot = false): Promise<R[]> {
    return tx.query<R>(isHot ? prepared(text) : unprepared(text), this.values);
  }
}

const statements = new Map<string, Statement>();

function prepared(text: string): Statement {
  let known = statements.get(text);
  if (known === undefined) {
    known = statement(text);
    statements.set(text, known);
  }
  return known;
}

/** What a filter with an index of its own found; `ids` are all there are, or null when they are too many. */
interface Found extends Record<string, unknown> {
  source: number;
  matches: number;
  ids: string | null;
  /** Of the search: what is searched for, as a `tsquery`. */
  query: string | null;
}

const SEARCH = -1;
const commonSearches = new CommonSearches();

/** The items that match all filters, newest first unless asked otherwise. */
export async function listWorkItems(
  tx: TenantTransaction,
  input: ListWorkItemsInput,
): Promise<{ items: WorkItem[]; pagination: Page }> {
  const counted = countedFilters(input);
  const others = otherFilters(input);
  const found = await findIds(tx, input, others);
  const [fewest] = found.filter(({ ids }) => ids !== null).sort((a, b) => a.matches - b.matches);
  const narrowed = [...counted, ...remaining(found, others, fewest)];
  const isCounted = found.length === 0;
  const window = { limit: input.limit, offset: input.offset };
  const page = readPage(tx, input, narrowed);
  if (isCounted) {
    const [rows, total] = await Promise.all([page, totalOf(tx, counted)]);
    return { items: rows.map(viewOf), pagination: { total, ...window } };
  }
  const known = narrowed.length === 1 ? exactMatches(found, others) : undefined;
  const [rows, total] = await Promise.all([page, known ?? countUpTo(tx, narrowed)]);
  return { items: rows.map(viewOf), pagination: pageOf(total, window) };
}

/** What is still to be looked at, item by item, of those whose ids are taken from `fewest`. */
function remaining(found: readonly Found[], others: readonly Filter[], fewest: Found | undefined): Filter[] {
  const isLeft = ({ source }: Found): boolean => source !== fewest?.source;
  return [
    ...(fewest === undefined ? [] : [within(fewest.ids ?? '')]),
    ...found
      .filter(isLeft)
      .flatMap(({ source, query }) => (source === SEARCH ? [matching(query)] : (others[source] ?? []))),
  ];
}

/** How many a single filter matches, where what it found tells. */
function exactMatches([only]: readonly Found[], others: readonly Filter[]): number | undefined {
  if (only === undefined) return undefined;
  return only.source === SEARCH || others[only.source]?.isExact === true ? only.matches : undefined;
}

/** One statement that asks each filter with an index of its own for its ids. */
async function findIds(tx: TenantTransaction, input: ListWorkItemsInput, others: readonly Filter[]): Promise<Found[]> {
  const query = new Query(tx.clientId);
  const parts = others.map(
    ({ ids }, index) => `
      select ${String(index)} as source, count(*)::int as matches,
        case when count(*) <= ${String(MAX_COUNTED)} then coalesce(string_agg(id::text, ','), '') end as ids, null as query
      from (select * from (${ids?.(query.put) ?? ''}) all_of_them limit ${String(MAX_COUNTED + 1)}) f (id)`,
  );
  const search = [input.search ?? null, facetsOf(input)] as const;
  const searches = search[0] !== null || search[1].length > 0;
  const common = searches ? commonSearches.get(tx.clientId, search) : undefined;
  if (searches && common === undefined) {
    parts.push(`
      select ${String(SEARCH)} as source, matches, case when matches <= ${String(MAX_COUNTED)} then coalesce(ids, '') end as ids,
        query
      from find_work_items(${query.put(search[0])}::text, ${query.put(search[1])}::text[], ${String(MAX_COUNTED)})
      where $1::int is not null`);
  }
  const found = parts.length === 0 ? [] : await query.run<Found>(tx, parts.join(' union all '));
  for (const { source, matches, query: wanted } of found) {
    if (source === SEARCH && matches > MAX_COUNTED && wanted !== null) {
      commonSearches.add(tx.clientId, search, wanted);
    }
  }
  if (common !== undefined) found.push({ source: SEARCH, matches: MAX_COUNTED + 1, ids: null, query: common });
  return found;
}

/** A search without any word that can be looked for (`null`) finds nothing. */
function matching(query: string | null): Filter {
  return { sql: (put) => `w.search @@ ${put(query)}::tsquery` };
}

function within(ids: string): Filter {
  // As text: the driver would read and write an array of thousands character by character.
  return { sql: (put) => `w.id = any(string_to_array(${put(ids)}, ',')::bigint[])` };
}

function readPage(
  tx: TenantTransaction,
  input: ListWorkItemsInput,
  filters: readonly Filter[],
): Promise<WorkItemRow[]> {
  const query = new Query(tx.clientId);
  const where = whereOf(filters, query);
  const [limit, offset] = [query.put(input.limit), query.put(input.offset)];
  return query.run<WorkItemRow>(
    tx,
    `select ${COLUMNS} from work_items w where ${where} order by ${orderOf(input)} limit ${limit} offset ${offset}`,
    isHot(input, filters),
  );
}

async function countUpTo(tx: TenantTransaction, filters: readonly Filter[]): Promise<number> {
  const query = new Query(tx.clientId);
  const where = whereOf(filters, query);
  const [row] = await query.run<{ total: number }>(
    tx,
    `select count(*) as total from (
      select from work_items w where ${where} limit ${String(MAX_COUNTED + 1)}) counted`,
  );
  return row?.total ?? 0;
}

async function totalOf(tx: TenantTransaction, filters: readonly Filter[]): Promise<number> {
  const query = new Query(tx.clientId);
  const conditions = ['client_id = $1', ...filters.map(({ sql }) => sql(query.put))];
  const [row] = await query.run<{ total: number }>(
    tx,
    `select coalesce(sum(n), 0)::bigint as total from work_item_counts where ${conditions.join(' and ')}`,
    true,
  );
  return row?.total ?? 0;
}

/** The list as most ask for it: newest first, at most of one kind, and of that kind in one status. */
function isHot({ sort = 'created_at', item_type, status }: ListWorkItemsInput, filters: readonly Filter[]): boolean {
  const used = [item_type, ...(item_type === undefined ? [] : [status])].filter((value) => value !== undefined);
  return sort === 'created_at' && filters.length === used.length;
}

function whereOf(filters: readonly Filter[], query: Query): string {
  return ['w.client_id = $1', 'w.deleted_at is null', ...filters.map(({ sql }) => sql(query.put))].join(' and ');
}
