import { MAX_COUNTED } from '../contracts/common.ts';
import type { ListWorkItemsInput } from '../contracts/work-items.ts';
import { statement, unprepared } from '../../platform/db/statement.ts';
import type { Statement } from '../../platform/db/statement.ts';
import type { TenantTransaction } from '../../platform/db/transaction.ts';
import { CommonSearches } from './common-searches.ts';
import { facetsOf, orderOf, sortColumnOf } from './list.rules.ts';
import type { Filter } from './list.rules.ts';
import { COLUMNS } from './work-item.view.ts';
import type { WorkItemRow } from './work-item.view.ts';

/** A statement from the filters in use, no more: `$2 is null or …` would keep the planner from the index that fits. */
export class Query {
  readonly values: unknown[];
  readonly put = (value: unknown): string => `$${String(this.values.push(value))}`;

  constructor(clientId: number) {
    this.values = [clientId];
  }

  where(filters: readonly Filter[]): string {
    return ['w.client_id = $1', 'w.deleted_at is null', ...this.conditions(filters)].join(' and ');
  }

  conditions(filters: readonly Filter[]): string[] {
    return filters.map(({ sql }) => sql(this.put));
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
export interface Found extends Record<string, unknown> {
  source: number;
  matches: number;
  ids: string | null;
  /** Of the search: what is searched for, as a `tsquery`. */
  query: string | null;
}

export const SEARCH = -1;
const commonSearches = new CommonSearches();

/** Whether words, tags or a module are looked for, which is a search of the one full-text index. */
export function isSearch(input: ListWorkItemsInput): boolean {
  return input.search !== undefined || facetsOf(input).length > 0;
}

/** Whether the filter's ids come from {@link findIds} in the order of the list, because its index holds what that sorts by. */
export function isSorted({ keyed }: Filter, input: ListWorkItemsInput): boolean {
  return keyed !== undefined && keyed.column === sortColumnOf(input);
}

/** One statement that asks each filter with an index of its own for its ids. */
export async function findIds(
  tx: TenantTransaction,
  input: ListWorkItemsInput,
  others: readonly Filter[],
): Promise<Found[]> {
  const query = new Query(tx.clientId);
  const direction = input.sort_order ?? 'desc';
  const parts = others.map((filter, index) => {
    const keyed = isSorted(filter, input) ? filter.keyed : undefined;
    const [ids, columns, order] =
      keyed === undefined
        ? [filter.ids, '(id)', '']
        : [keyed.ids, '(id, key)', `order by key ${direction}, id ${direction}`];
    return `
      select ${String(index)} as source, count(*)::int as matches,
        case when count(*) <= ${String(MAX_COUNTED)} then coalesce(string_agg(id::text, ',' ${order}), '') end as ids,
        null as query
      from (select * from (${ids?.(query.put) ?? ''}) all_of_them limit ${String(MAX_COUNTED + 1)}) f ${columns}`;
  });
  const search = [input.search ?? null, facetsOf(input)] as const;
  const searches = isSearch(input);
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

/** Of the items with these ids those that match the filters, in order. */
export async function narrow(
  tx: TenantTransaction,
  input: ListWorkItemsInput,
  { ids, filters }: { ids: readonly number[]; filters: readonly Filter[] },
): Promise<number[]> {
  if (ids.length === 0) return [];
  const query = new Query(tx.clientId);
  // As text: the driver would write an array of thousands number by number.
  const within = `w.id = any(string_to_array(${query.put(ids.join(','))}, ',')::bigint[])`;
  const [row] = await query.run<{ ids: string | null }>(
    tx,
    `select string_agg(w.id::text, ',' order by ${orderOf(input)}) as ids
     from work_items w where ${query.where(filters)} and ${within}`,
  );
  return numbersOf(row?.ids);
}

/** How many items are looked through for matches of a filter that many have: by id they lie side by side. */
const WALKED = 20_000;
const WALKED_APART = 5_000;

export interface Walk {
  /** Matches in order, as many as were asked for or were met. */
  ids: number[];
  /** Whether these are all that match. */
  isAll: boolean;
}

/**
 * The first items in the order of the list that match, as far as it is worth walking. Left alone, the planner would walk
 * on through the whole client wherever filters exclude each other, of which it knows nothing.
 */
export async function walk(
  tx: TenantTransaction,
  input: ListWorkItemsInput,
  { filters, most }: { filters: readonly Filter[]; most: number },
): Promise<Walk> {
  const query = new Query(tx.clientId);
  const column = sortColumnOf(input);
  // A span on what the list is sorted by is where the walk begins and ends.
  const place = query.where(filters.filter((filter) => filter.column !== undefined && filter.column === column));
  const rest = query.conditions(filters.filter((filter) => filter.column === undefined || filter.column !== column));
  const walked = String(column === undefined ? WALKED : WALKED_APART);
  const [row] = await query.run<{ ids: string | null; walked: number }>(
    tx,
    `select (
        select string_agg(met.id::text, ',') from (
          select w.id from (select * from work_items w where ${place} order by ${orderOf(input)} limit ${walked}) w
          where ${['true', ...rest].join(' and ')} limit ${query.put(most)}) met) as ids,
      (select count(*) from (select from work_items w where ${place} limit ${walked}) w) as walked`,
  );
  const ids = numbersOf(row?.ids);
  return { ids, isAll: ids.length < most && (row?.walked ?? 0) < Number(walked) };
}

/** All matches of filters that few items match together, from whatever indexes find them; `most` of them in order. */
export async function gather(
  tx: TenantTransaction,
  input: ListWorkItemsInput,
  { filters, most }: { filters: readonly Filter[]; most: number },
): Promise<Walk> {
  const query = new Query(tx.clientId);
  const plain = filters.map((filter) => (filter.plain === undefined ? filter : { sql: filter.plain }));
  const [row] = await query.run<{ ids: string | null }>(
    tx,
    `with w as materialized (
        select id, created_at, updated_at, due_date, priority, title from work_items w where ${query.where(plain)})
     select string_agg(first.id::text, ',') as ids
     from (select id from w order by ${orderOf(input)} limit ${query.put(most)}) first`,
  );
  const ids = numbersOf(row?.ids);
  return { ids, isAll: ids.length < most };
}

const READ = statement(`
  select ${COLUMNS} from work_items
  where client_id = $1 and id = any(string_to_array($2, ',')::bigint[]) and deleted_at is null`);

/** The items with these ids, in their order. */
export async function readItems(tx: TenantTransaction, ids: readonly number[]): Promise<WorkItemRow[]> {
  if (ids.length === 0) return [];
  const rows = await tx.query<WorkItemRow>(READ, [tx.clientId, ids.join(',')]);
  const byId = new Map(rows.map((row) => [row.id, row]));
  return ids.flatMap((id) => byId.get(id) ?? []);
}

export function numbersOf(ids: string | null | undefined): number[] {
  return JSON.parse(`[${ids ?? ''}]`) as number[];
}
