import { ApiError } from '../contracts/errors.ts';
import type { DocumentType, FinanceDocumentData, FinanceDocumentRefInput } from '../contracts/finance.ts';
import type { Caller } from '../contracts/caller.ts';
import { statement } from '../../platform/db/statement.ts';
import type { TenantTransaction } from '../../platform/db/transaction.ts';
import { checkAccess } from './access.ts';
import { COLUMNS, documentOf, LINE_COLUMNS } from './finance-document.view.ts';
import type { DocumentRow, LineRow } from './finance-document.view.ts';
import { todayOf } from './today.ts';

const FIND = statement(`
  select ${COLUMNS} from finance_documents where client_id = $1 and document_type = $2 and id = $3`);
const LOCK = statement(`
  select ${COLUMNS} from finance_documents where client_id = $1 and document_type = $2 and id = $3 for no key update`);
const BY_NUMBER = statement(`
  select id, currency from finance_documents where client_id = $1 and document_type = $2 and document_number = $3`);
const LINES = statement(`
  select ${LINE_COLUMNS} from finance_document_lines where client_id = $1 and document_id = $2 order by line_number`);

/** A document and its lines; 404 for another client's, and where the type is another. */
export async function getFinanceDocument(
  tx: TenantTransaction,
  caller: Caller,
  { ref, now }: { ref: FinanceDocumentRefInput; now: number },
): Promise<FinanceDocumentData> {
  checkAccess(caller, ref.document_type, 'read');
  const [rows, lines] = await Promise.all([
    tx.query<DocumentRow>(FIND, [tx.clientId, ref.document_type, ref.document_id]),
    linesOf(tx, ref.document_id),
  ]);
  return documentOf(only(rows, ref), lines, todayOf(caller, now));
}

/** The document's row, which no other transaction changes until this one ends. */
export async function lockDocument(tx: TenantTransaction, ref: FinanceDocumentRefInput): Promise<DocumentRow> {
  return only(await tx.query<DocumentRow>(LOCK, [tx.clientId, ref.document_type, ref.document_id]), ref);
}

/** The id and currency of the document that bears a number. */
export async function findDocumentByNumber(
  tx: TenantTransaction,
  type: DocumentType,
  number: string,
): Promise<{ id: number; currency: string } | undefined> {
  const [row] = await tx.query<{ id: number; currency: string }>(BY_NUMBER, [tx.clientId, type, number]);
  return row;
}

export function linesOf(tx: TenantTransaction, documentId: number): Promise<LineRow[]> {
  return tx.query<LineRow>(LINES, [tx.clientId, documentId]);
}

function only(rows: readonly DocumentRow[], ref: FinanceDocumentRefInput): DocumentRow {
  const [row] = rows;
  if (row === undefined) throw ApiError.notFound(ref.document_type.replaceAll('_', ' '), ref.document_id);
  return row;
}
