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
  select ${COLUMNS} from contacts
  where client_id = $1 and deleted_at is null and id = any(array(select search_contacts($2, $3, $4, $5, $6)))
  order by id desc`);
/** Counting what a search finds means reading it: further than this is not worth the wait. */
const MAX_FOUND = 1_000;
const COUNT_FOUND = statement(`
  select count(*) as total from search_contacts($1, $2, $3, ${String(MAX_FOUND + 1)}, 0)`);

async function searched(
  tx: TenantTransaction,
  { type, is_active, limit, offset }: ListContactsInput,
  patterns: string[],
): Promise<Found> {
  const filter = [patterns, type ?? null, is_active ?? null];
  const [rows, [counted]] = await Promise.all([
    tx.query<ContactRow>(SEARCH, [tx.clientId, ...filter, limit, offset]),
    tx.query<{ total: number }>(COUNT_FOUND, filter),
  ]);
  return { contacts: rows.map(viewOf), pagination: pageOf(counted?.total ?? 0, { limit, offset }, MAX_FOUND) };
}
