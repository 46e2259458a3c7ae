import type { Caller } from '../contracts/caller.ts';
import { patternsOf } from '../contacts/index.ts';
import { pageOf } from '../contracts/common.ts';
import type { Page } from '../contracts/common.ts';
import { ApiError } from '../contracts/errors.ts';
import type { DocumentType, FinanceDocumentSummaryData, ListFinanceDocumentsInput } from '../contracts/finance.ts';
import { statement } from '../../platform/db/statement.ts';
import type { TenantTransaction } from '../../platform/db/transaction.ts';
import { checkAccess } from './access.ts';
import { filteredList } from './filtered-list.ts';
import type { Filter } from './filtered-list.ts';
import { COLUMNS, summaryOf } from './finance-document.view.ts';
import type { DocumentRow } from './finance-document.view.ts';
import { OPEN_STATUSES, rowsOfStatus, UNPAID_STATUSES } from './finance-documents.rules.ts';
import { todayOf } from './today.ts';

/** As `shownStatus` has it: nothing is late that has nothing left to pay. */
const IS_LATE = '(due_date is not null and due_date < ? and total_minor - paid_minor - credited_minor > 0)';

/** Counting what a search finds means reading it: further than this is not worth the wait. */
const MAX_FOUND = 1_000;
const SEARCH = statement(`
  select ids, matches from search_finance_documents($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, ${String(MAX_FOUND)})`);
const FOUND = statement(`
  select ${COLUMNS} from finance_documents where client_id = $1 and id = any($2) order by id desc`);

type StatusRows = ReturnType<typeof rowsOfStatus>;

interface Wanted {
  type: DocumentType;
  input: ListFinanceDocumentsInput;
  today: string;
}

interface Found {
  rows: DocumentRow[];
  pagination: Page;
}

/** The documents of one type, newest first, without their lines. */
export async function listFinanceDocuments(
  tx: TenantTransaction,
  caller: Caller,
  { type, input, now }: { type: DocumentType; input: ListFinanceDocumentsInput; now: number },
): Promise<{ documents: FinanceDocumentSummaryData[]; pagination: Page }> {
  checkAccess(caller, type, 'read');
  const today = todayOf(caller, now);
  const find = input.search === undefined ? listed : searched;
  const { rows, pagination } = await find(tx, { type, input, today });
  return { documents: rows.map((row) => summaryOf(row, today)), pagination };
}

function listed(tx: TenantTransaction, { type, input, today }: Wanted): Promise<Found> {
  const filters: Filter[] = [
    ['document_type = ?', type],
    ...statusFilters(wantedRows(type, input), today),
    ['contact_id = ?', input.contact_id],
    ['document_date >= ?', input.date_from],
    ['document_date <= ?', input.date_to],
  ];
  return filteredList<DocumentRow>(tx, { table: 'finance_documents', columns: COLUMNS }, { filters, window: input });
}

async function searched(tx: TenantTransaction, { type, input, today }: Wanted): Promise<Found> {
  const { statuses, isLate } = wantedRows(type, input) ?? {};
  const [found] = await tx.query<{ ids: string[]; matches: number }>(SEARCH, [
    patternsOf(input.search ?? ''),
    type,
    statuses ?? null,
    isLate ?? null,
    today,
    input.contact_id ?? null,
    input.date_from ?? null,
    input.date_to ?? null,
    input.limit,
    input.offset,
  ]);
  const { ids, matches } = found ?? { ids: [], matches: 0 };
  const rows = ids.length === 0 ? [] : await tx.query<DocumentRow>(FOUND, [tx.clientId, ids]);
  return { rows, pagination: pageOf(matches, input, MAX_FOUND) };
}

/** Which stored rows the filters by status let through; undefined: all. */
function wantedRows(type: DocumentType, { status, unpaid }: ListFinanceDocumentsInput): StatusRows | undefined {
  if (unpaid === true && status !== undefined && !UNPAID_STATUSES.includes(status)) {
    throw ApiError.invalid('unpaid', `no document is both ${status} and unpaid: give one of the two`);
  }
  if (status !== undefined) return rowsOfStatus(type, status);
  return unpaid === true ? { statuses: OPEN_STATUSES, isLate: null } : undefined;
}

function statusFilters(wanted: StatusRows | undefined, today: string): Filter[] {
  if (wanted === undefined) return [];
  const { statuses, isLate } = wanted;
  const [only] = statuses;
  return [
    statuses.length === 1 ? ['status = ?', only] : ['status = any(?)', statuses],
    [isLate === true ? IS_LATE : `not ${IS_LATE}`, isLate === null ? undefined : today],
  ];
}
