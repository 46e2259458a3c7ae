import { MAX_COUNTED, pageOf } from '../contracts/common.ts';
import type { Page } from '../contracts/common.ts';
import type { ContactView, ListContactsInput } from '../contracts/contacts.ts';
import { statement } from '../../platform/db/statement.ts';
import type { Statement } from '../../platform/db/statement.ts';
import type { TenantTransaction } from '../../platform/db/transaction.ts';
import { COLUMNS, viewOf } from './contact.view.ts';
import type { ContactRow } from './contact.view.ts';
import { patternsOf } from './search.rules.ts';

interface Found {
  contacts: ContactView[];
  pagination: Page;
}

/** Newest first. */
export function listContacts(tx: TenantTransaction, input: ListContactsInput): Promise<Found> {
  return input.search === undefined ? listed(tx, input) : searched(tx, input, patternsOf(input.search));
}

interface Pair {
  list: Statement;
  count: Statement;
}

const pairs = new Map<string, Pair>();

/** One plan per set of filters: `$2 is null or …` would keep the planner from the index that fits. */
function pairFor(conditions: readonly string[]): Pair {
  const where = ['client_id = $1', 'deleted_at is null', ...conditions].join(' and ');
  const known = pairs.get(where);
  if (known !== undefined) return known;
  const last = conditions.filter((condition) => condition.includes('$')).length + 1;
  const pair = {
    list: statement(`select ${COLUMNS} from contacts where ${where} order by id desc
      limit $${String(last + 1)} offset $${String(last + 2)}`),
    count: statement(`select count(*) as total from (
      select from contacts where ${where} limit ${String(MAX_COUNTED + 1)}) counted`),
  };
  pairs.set(where, pair);
  return pair;
}

async function listed(tx: TenantTransaction, { type, is_active, limit, offset }: ListContactsInput): Promise<Found> {
  const { list, count } = pairFor([
    ...(type === undefined ? [] : ['contact_type = $2']),
    ...(is_active === undefined ? [] : [is_active ? 'is_active' : 'not is_active']),
  ]);
  const filter = [tx.clientId, ...(type === undefined ? [] : [type])];
  const [rows, [counted]] = await Promise.all([
    tx.query<ContactRow>(list, [...filter, limit, offset]),
    tx.query<{ total: number }>(count, filter),
  ]);
  return { contacts: rows.map(viewOf), pagination: pageOf(counted?.total ?? 0, { limit, offset }) };
}

const SEARCH = statement(`
  select array_to_json(ids[$5 + 1 : $5 + $6])::text as ids, cardinality(ids) as met, is_all
  from search_contacts($1, $2, $3, $4)`);
const READ = statement(`
  select ${COLUMNS} from contacts
  where client_id = $1 and deleted_at is null and id = any($2::int[]) order by id desc`);
/** Counting what a search finds means reading it: further than this is not worth the wait. */
const MAX_FOUND = 1_000;

async function searched(
  tx: TenantTransaction,
  { type, is_active, limit, offset }: ListContactsInput,
  patterns: string[],
): Promise<Found> {
  // One more than is shown, so that it is known whether there are more.
  const wanted = offset + limit + 1;
  const filter = [patterns, type ?? null, is_active ?? null];
  const [found] = await tx.query<{ ids: string; met: number; is_all: boolean }>(SEARCH, [
    ...filter,
    wanted,
    offset,
    limit,
  ]);
  const { ids, met, is_all } = found ?? { ids: '[]', met: 0, is_all: true };
  const rows = met > offset ? await tx.query<ContactRow>(READ, [tx.clientId, JSON.parse(ids)]) : [];
  // Of a common word some more were met than are shown, and that there are more is all that is known.
  const most = is_all ? MAX_FOUND : Math.min(MAX_FOUND, met - 1);
  return { contacts: rows.map(viewOf), pagination: pageOf(met, { limit, offset }, most) };
}
