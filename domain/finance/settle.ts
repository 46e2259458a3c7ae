import type { Caller } from '../contracts/caller.ts';
import type { FinanceDocumentData } from '../contracts/finance.ts';
import { statement } from '../../platform/db/statement.ts';
import type { TenantTransaction } from '../../platform/db/transaction.ts';
import { changesBetween } from './announce.ts';
import type { Changes } from './announce.ts';
import { COLUMNS, documentOf } from './finance-document.view.ts';
import type { DocumentRow } from './finance-document.view.ts';
import type { StoredStatus } from './finance-documents.rules.ts';
import { settledStatus } from './finance-documents.rules.ts';
import { linesOf } from './find.ts';
import { todayOf } from './today.ts';

const UPDATE = statement(`
  update finance_documents set status = $3, paid_minor = $4, credited_minor = $5, updated_at = now()
  where client_id = $1 and id = $2 returning ${COLUMNS}`);

/** What may still change once a document is issued. */
export interface Standing {
  paid_minor?: number;
  credited_minor?: number;
  /** Decided by payments and credits where it isn't given. */
  status?: StoredStatus;
}

/** A document before and after a change of where it stands. */
export interface Settled {
  document: FinanceDocumentData;
  changes: Changes;
  /** Whether this very change settled it. */
  becamePaid: boolean;
}

/** Moves a locked document on; the caller announces it. */
export async function settle(
  tx: TenantTransaction,
  caller: Caller,
  { row, to, now }: { row: DocumentRow; to: Standing; now: number },
): Promise<Settled> {
  const next = { ...row, ...to };
  const status = to.status ?? settledStatus(next);
  const values = [tx.clientId, row.id, status, next.paid_minor, next.credited_minor];
  const [[updated], lines] = await Promise.all([tx.query<DocumentRow>(UPDATE, values), linesOf(tx, row.id)]);
  if (updated === undefined) throw new Error('update of a locked finance document found no row');
  const today = todayOf(caller, now);
  const document = documentOf(updated, lines, today);
  const changes = changesBetween(documentOf(row, lines, today), document);
  return { document, changes, becamePaid: status === 'paid' && row.status !== 'paid' };
}
