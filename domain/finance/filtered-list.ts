import { MAX_COUNTED, pageOf } from '../contracts/common.ts';
import type { Page, Window } from '../contracts/common.ts';
import { statement } from '../../platform/db/statement.ts';
import type { Statement } from '../../platform/db/statement.ts';
import type { TenantTransaction } from '../../platform/db/transaction.ts';

/** A condition with `?` for its value; left out where the value is undefined. */
export type Filter = readonly [condition: string, value: unknown];

interface Source {
  table: string;
  columns: string;
}

interface Pair {
  list: Statement;
  count: Statement;
}

const pairs = new Map<string, Pair>();

/**
 * The rows of the transaction's client that fit every filter, newest first, and where they stand. One plan per set of
 * filters in use: `$2 is null or …` would keep the planner from the index that fits.
 */
export async function filteredList<R extends Record<string, unknown>>(
  tx: TenantTransaction,
  source: Source,
  { filters, window }: { filters: readonly Filter[]; window: Window },
): Promise<{ rows: R[]; pagination: Page }> {
  const used = filters.filter(([, value]) => value !== undefined);
  const conditions = used.map(([condition], index) => condition.replaceAll('?', `$${String(index + 2)}`));
  const where = [`from ${source.table} where client_id = $1`, ...conditions].join(' and ');
  const { list, count } = pairFor(source, where, used.length + 1);
  const values = [tx.clientId, ...used.map(([, value]) => value)];
  const [rows, [counted]] = await Promise.all([
    tx.query<R>(list, [...values, window.limit, window.offset]),
    tx.query<{ total: number }>(count, values),
  ]);
  return { rows, pagination: pageOf(counted?.total ?? 0, window) };
}

/** The ids come first: an index that holds all that is filtered by answers them without a look at the rows. */
function pairFor({ table, columns }: Source, where: string, last: number): Pair {
  let pair = pairs.get(where);
  if (pair === undefined) {
    pair = {
      list: statement(`
        select ${columns} from ${table} where client_id = $1 and id = any(array(
          select id ${where} order by id desc limit $${String(last + 1)} offset $${String(last + 2)})) order by id desc`),
      count: statement(`select count(*) as total from (select ${where} limit ${String(MAX_COUNTED + 1)}) counted`),
    };
    pairs.set(where, pair);
  }
  return pair;
}
