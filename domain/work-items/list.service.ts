import { MAX_COUNTED, pageOf } from '../contracts/common.ts';
import type { Page } from '../contracts/common.ts';
import type { ListWorkItemsInput, WorkItem } from '../contracts/work-items.ts';
import type { TenantTransaction } from '../../platform/db/transaction.ts';
import {
  findIds,
  gather,
  isSearch,
  isSorted,
  narrow,
  numbersOf,
  Query,
  readItems,
  SEARCH,
  walk,
} from './list.queries.ts';
import type { Found, Walk } from './list.queries.ts';
import { countedFilters, orderOf, otherFilters } from './list.rules.ts';
import type { Filter } from './list.rules.ts';
import { COLUMNS, viewOf } from './work-item.view.ts';
import type { WorkItemRow } from './work-item.view.ts';

/** The matches of several filters that many items match are counted no further than this: each is a row to be read. */
const MAX_MET = 1_000;

/** A page of a list: its items, or the ids of them. */
interface Listed {
  items: WorkItem[];
  pagination: Page;
}

/** The items that match all filters, newest first unless asked otherwise. */
export async function listWorkItems(tx: TenantTransaction, input: ListWorkItemsInput): Promise<Listed> {
  const counted = countedFilters(input);
  const others = otherFilters(input);
  if (others.length === 0 && !isSearch(input)) {
    const isDirect = counted.length < 2 || isHot(input, counted);
    return isDirect ? listDirectly(tx, input, counted) : listCounted(tx, input, counted);
  }
  const sieves = [...others, ...counted.filter(({ ids }) => ids !== undefined)];
  const found = await findIds(tx, input, sieves);
  const conditions = found
    .filter(({ ids }) => ids === null)
    .flatMap(({ source, query }) => (source === SEARCH ? [matching(query)] : (sieves[source] ?? [])));
  const filters = [...counted.filter(({ ids }) => ids === undefined), ...conditions];
  const candidates = commonIds(found);
  if (candidates === undefined) return listMany(tx, input, filters);
  const ids = filters.length === 0 ? inOrder(candidates, input, sieves) : undefined;
  return pageFrom(tx, input, { ids: ids ?? (await narrow(tx, input, { ids: candidates, filters })), isAll: true });
}

/** Ids that match, in the order of the list; undefined where the items must be read to know it. */
function inOrder(ids: readonly number[], input: ListWorkItemsInput, sieves: readonly Filter[]): number[] | undefined {
  const [sieve, ...others] = sieves;
  const isAlone = sieve !== undefined && others.length === 0 && !isSearch(input);
  if (isAlone && isSorted(sieve, input)) return [...ids];
  // Ids ascend with time.
  return (input.sort ?? 'created_at') === 'created_at' ? sorted(ids, input) : undefined;
}

/** Of filters that find few items each, what they have in common. */
function commonIds(found: readonly Found[]): number[] | undefined {
  const [fewest, ...more] = found
    .flatMap(({ ids }) => (ids === null ? [] : [numbersOf(ids)]))
    .sort((a, b) => a.length - b.length);
  const others = more.map((ids) => new Set(ids));
  return fewest?.filter((id) => others.every((ids) => ids.has(id)));
}

function sorted(ids: readonly number[], { sort_order }: ListWorkItemsInput): number[] {
  const ascending = Float64Array.from(ids).sort();
  return Array.from(sort_order === 'asc' ? ascending : ascending.reverse());
}

/** Filters that each leave more than can be taken as ids. */
async function listMany(tx: TenantTransaction, input: ListWorkItemsInput, filters: readonly Filter[]): Promise<Listed> {
  const { limit, offset } = input;
  const isSingle = filters.length === 1;
  // Of a single one it is known that there are more than are counted.
  const pagination = isSingle ? pageOf(MAX_COUNTED + 1, { limit, offset }) : undefined;
  if (pagination !== undefined && (input.sort ?? 'created_at') === 'created_at') {
    return { items: (await readPage(tx, input, filters)).map(viewOf), pagination };
  }
  const wanted = offset + limit;
  const walked = await walk(tx, input, { filters, most: (isSingle ? wanted : Math.max(wanted, MAX_MET)) + 1 });
  const isEnough = walked.isAll || walked.ids.length > wanted;
  const met = isEnough ? walked : await gather(tx, input, { filters, most: Math.max(wanted, MAX_COUNTED) + 1 });
  const listed = await pageFrom(tx, input, met);
  return { ...listed, pagination: pagination ?? listed.pagination };
}

/** Filters whose total is known, of which no index leads to the page in the order asked for. */
async function listCounted(
  tx: TenantTransaction,
  input: ListWorkItemsInput,
  filters: readonly Filter[],
): Promise<Listed> {
  const { limit, offset } = input;
  const total = await totalOf(tx, filters);
  const most = Math.min(offset + limit, total);
  const walked = await walk(tx, input, { filters, most });
  const isEnough = walked.isAll || walked.ids.length >= most;
  const { ids } = isEnough ? walked : await gather(tx, input, { filters, most });
  const { items } = await pageFrom(tx, input, { ids, isAll: true });
  return { items, pagination: { total, limit, offset } };
}

/** An index holds the page in its order, and the total is known. */
async function listDirectly(
  tx: TenantTransaction,
  input: ListWorkItemsInput,
  filters: readonly Filter[],
): Promise<Listed> {
  const { limit, offset } = input;
  const [rows, total] = await Promise.all([readPage(tx, input, filters), totalOf(tx, filters)]);
  return { items: rows.map(viewOf), pagination: { total, limit, offset } };
}

async function pageFrom(
  tx: TenantTransaction,
  { limit, offset }: ListWorkItemsInput,
  { ids, isAll }: Walk,
): Promise<Listed> {
  const rows = await readItems(tx, ids.slice(offset, offset + limit));
  const most = isAll ? MAX_COUNTED : Math.min(MAX_COUNTED, ids.length - 1);
  return { items: rows.map(viewOf), pagination: pageOf(ids.length, { limit, offset }, most) };
}

/** A search without any word that can be looked for (`null`) finds nothing. */
function matching(query: string | null): Filter {
  return { sql: (put) => `w.search @@ ${put(query)}::tsquery` };
}

function readPage(
  tx: TenantTransaction,
  input: ListWorkItemsInput,
  filters: readonly Filter[],
): Promise<WorkItemRow[]> {
  const query = new Query(tx.clientId);
  const where = query.where(filters);
  const [limit, offset] = [query.put(input.limit), query.put(input.offset)];
  return query.run<WorkItemRow>(
    tx,
    `select ${COLUMNS} from work_items w where ${where} order by ${orderOf(input)} limit ${limit} offset ${offset}`,
    isHot(input, filters),
  );
}

async function totalOf(tx: TenantTransaction, filters: readonly Filter[]): Promise<number> {
  const query = new Query(tx.clientId);
  const conditions = ['client_id = $1', ...filters.map(({ sql }) => sql(query.put))].join(' and ');
  // One statement, so one moment: the worker moves items from one of these sums to another.
  const [row] = await query.run<{ total: number }>(
    tx,
    `select (select coalesce(sum(n), 0) from work_item_counts where ${conditions})::bigint
      + (select coalesce(sum(n), 0) from work_item_changes where ${conditions} and work_item_id <= counted.up_to)
      + (select count(*) from work_items where ${conditions} and deleted_at is null and id > counted.up_to) as total
    from work_item_watermarks counted where name = 'counted'`,
    true,
  );
  return row?.total ?? 0;
}

/** The list as most ask for it: newest first, of one kind, and of that kind in one status. */
function isHot({ sort = 'created_at', item_type, status }: ListWorkItemsInput, filters: readonly Filter[]): boolean {
  const used = [item_type, ...(item_type === undefined ? [] : [status])].filter((value) => value !== undefined);
  return sort === 'created_at' && filters.length === used.length;
}
