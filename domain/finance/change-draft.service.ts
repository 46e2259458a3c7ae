import type { Caller } from '../contracts/caller.ts';
import { ApiError } from '../contracts/errors.ts';
import type { FinanceDocumentData, FinanceDocumentRefInput, UpdateFinanceDocumentInput } from '../contracts/finance.ts';
import { statement } from '../../platform/db/statement.ts';
import type { TenantTransaction } from '../../platform/db/transaction.ts';
import { checkAccess } from './access.ts';
import { announce, changesBetween, note } from './announce.ts';
import { contactOf } from './contact-snapshot.ts';
import type { ContactSnapshot } from './contact-snapshot.ts';
import { checkCustomFields, checkDates, contactValues, totalValues } from './create-document.service.ts';
import { creditedContact, creditedInvoice } from './credited-invoice.ts';
import { COLUMNS, documentOf } from './finance-document.view.ts';
import type { DocumentRow } from './finance-document.view.ts';
import { linesOf, lockDocument } from './find.ts';
import { priceLines, replaceLines } from './lines.ts';
import type { PricedLines } from './lines.ts';
import { reopenSource } from './convert-document.service.ts';
import { toMajor } from './money.ts';
import { todayOf } from './today.ts';

const UPDATE = statement(`
  update finance_documents set contact_id = $3, contact_name = $4, contact_email = $5, contact_phone = $6,
    contact_address = $7, contact_tax_number = $8, document_date = $9, due_date = $10, reference = $11, notes = $12,
    terms = $13, custom_fields = $14, updated_at = now()
  where client_id = $1 and id = $2 returning ${COLUMNS}`);
const UPDATE_TOTALS = statement(`
  update finance_documents set subtotal_minor = $3, discount_minor = $4, tax_minor = $5, total_minor = $6, tax_summary = $7
  where client_id = $1 and id = $2`);
const REMOVE_LINES = statement(`delete from finance_document_lines where client_id = $1 and document_id = $2`);
const REMOVE = statement(`delete from finance_documents where client_id = $1 and id = $2`);

/** Changes a draft. What was issued stays what it is: 409. */
export async function updateFinanceDocument(
  tx: TenantTransaction,
  caller: Caller,
  { input, now }: { input: UpdateFinanceDocumentInput; now: number },
): Promise<FinanceDocumentData> {
  checkAccess(caller, input.document_type, 'write');
  checkCustomFields(input.custom_fields);
  const draft = await lockDraft(tx, input);
  const [oldLines, contact] = await Promise.all([linesOf(tx, draft.id), changedContact(tx, input, draft)]);
  const date = input.document_date ?? draft.document_date;
  const due = kept(input.due_date, draft.due_date);
  checkDates(date, due);
  const priced = input.lines && priceLines(draft.document_type, input.lines, draft.currency);
  if (priced !== undefined) writeTotals(tx, draft, priced);
  const [row] = await tx.query<DocumentRow>(UPDATE, [
    tx.clientId,
    draft.id,
    ...contactValues(contact),
    date,
    due,
    kept(input.reference, draft.reference),
    kept(input.notes, draft.notes),
    kept(input.terms, draft.terms),
    JSON.stringify(input.custom_fields ?? draft.custom_fields),
  ]);
  if (row === undefined) throw new Error('update of a locked finance document found no row');
  const today = todayOf(caller, now);
  const before = documentOf(draft, oldLines, today);
  const document = documentOf(row, priced?.rows ?? oldLines, today);
  const changes = changesBetween(before, document);
  if (Object.keys(changes).length > 0) announce(tx, caller, 'updated', { document, changes });
  return document;
}

/** Deletes a draft: it never had a number, so none is missing after it. */
export async function deleteFinanceDocument(
  tx: TenantTransaction,
  caller: Caller,
  { ref, now }: { ref: FinanceDocumentRefInput; now: number },
): Promise<void> {
  checkAccess(caller, ref.document_type, 'write');
  const draft = await lockDraft(tx, ref);
  if (draft.paid_minor > 0) {
    throw ApiError.unprocessable('This draft has payments, taken over from its quote: refund them first.');
  }
  const document = documentOf(draft, await linesOf(tx, draft.id), todayOf(caller, now));
  tx.write(REMOVE_LINES, [tx.clientId, draft.id]);
  tx.write(REMOVE, [tx.clientId, draft.id]);
  note(tx, caller, `${draft.document_type}.deleted`, { document, details: { document } });
  await reopenSource(tx, caller, { deleted: draft, now });
}

async function lockDraft(tx: TenantTransaction, ref: FinanceDocumentRefInput): Promise<DocumentRow> {
  const row = await lockDocument(tx, ref);
  if (row.status === 'draft') return row;
  throw new ApiError('CONFLICT', `${row.document_number ?? 'This document'} is issued and can't be changed any more.`);
}

async function changedContact(
  tx: TenantTransaction,
  input: UpdateFinanceDocumentInput,
  draft: DocumentRow,
): Promise<ContactSnapshot> {
  if (draft.invoice_id === null) return contactOf(tx, input, draft);
  return creditedContact(tx, input, { invoice: await creditedInvoice(tx, draft.invoice_id), before: draft });
}

function writeTotals(tx: TenantTransaction, draft: DocumentRow, { rows, totals }: PricedLines): void {
  if (totals.total_minor < draft.paid_minor) {
    const paid = String(toMajor(draft.paid_minor, draft.currency));
    throw ApiError.unprocessable(
      `The total must not be less than the ${paid} ${draft.currency} that are paid already.`,
    );
  }
  tx.write(UPDATE_TOTALS, [tx.clientId, draft.id, ...totalValues(totals)]);
  replaceLines(tx, draft.id, rows);
}

/** Undefined leaves a field as it is, null clears it. */
function kept<T>(input: T | null | undefined, before: T | null): T | null {
  return input === undefined ? before : input;
}
