import type { Caller } from '../contracts/caller.ts';
import { ApiError } from '../contracts/errors.ts';
import type { FinanceDocumentData, FinanceDocumentRefInput } from '../contracts/finance.ts';
import { recordEvent } from '../events/index.ts';
import { statement } from '../../platform/db/statement.ts';
import type { TenantTransaction } from '../../platform/db/transaction.ts';
import { checkAccess } from './access.ts';
import { announce, changesBetween, note } from './announce.ts';
import { readContact } from './contact-snapshot.ts';
import { contactValues } from './create-document.service.ts';
import { checkCreditedContact } from './credited-invoice.ts';
import { COLUMNS, contentDigest, documentOf } from './finance-document.view.ts';
import type { DocumentRow } from './finance-document.view.ts';
import { documentNumber, settledStatus } from './finance-documents.rules.ts';
import { linesOf, lockDocument } from './find.ts';
import { toMajor } from './money.ts';
import { lastPaymentOf } from './payment-reads.ts';
import { sellerOfToday } from './seller.ts';
import { settle } from './settle.ts';
import { todayOf } from './today.ts';

// Locks the counter's row until the end of the transaction: the next issue of this client and type waits, and a rollback
// gives the number back. That is the price of having no gaps (decisions §5), and why it comes last before the writes.
const NEXT_NUMBER = statement(`
  insert into finance_counters as c (client_id, document_type, last_number) values ($1, $2, 1)
  on conflict (client_id, document_type) do update set last_number = c.last_number + 1
  returning last_number`);
const ISSUE = statement(`
  update finance_documents set contact_id = $3, contact_name = $4, contact_email = $5, contact_phone = $6,
    contact_address = $7, contact_tax_number = $8, status = $9, document_number = $10, sequence_number = $11,
    issued_at = $12, issued_sha256 = $13, seller = $14, updated_at = now()
  where client_id = $1 and id = $2 returning ${COLUMNS}`);

/** Gives a draft its number and the contact's details of this moment; from here on it is immutable. */
export async function issueFinanceDocument(
  tx: TenantTransaction,
  caller: Caller,
  { ref, now }: { ref: FinanceDocumentRefInput; now: number },
): Promise<FinanceDocumentData> {
  checkAccess(caller, ref.document_type, 'write');
  const draft = await lockDocument(tx, ref);
  if (draft.status !== 'draft') {
    throw new ApiError('CONFLICT', `This document is issued already, as ${draft.document_number ?? 'a document'}.`);
  }
  const [lines, contact, seller] = await Promise.all([
    linesOf(tx, draft.id),
    draft.contact_id === null ? undefined : readContact(tx, draft.contact_id),
    sellerOfToday(tx),
  ]);
  if (draft.invoice_id !== null)
    await creditInvoice(tx, caller, { creditNote: draft, invoiceId: draft.invoice_id, now });
  const today = todayOf(caller, now);
  const numbered = await numberOf(tx, { ...draft, ...contact, issued_at: new Date(now) });
  const digest = contentDigest(documentOf(numbered, lines, today), seller);
  const { status, document_number, sequence_number, issued_at } = numbered;
  const [row] = await tx.query<DocumentRow>(ISSUE, [
    tx.clientId,
    draft.id,
    ...contactValues(numbered),
    status,
    document_number,
    sequence_number,
    issued_at,
    digest,
    JSON.stringify(seller),
  ]);
  if (row === undefined) throw new Error('update of a locked finance document found no row');
  const document = documentOf(row, lines, today);
  announce(tx, caller, 'issued', { document, changes: changesBetween(documentOf(draft, lines, today), document) });
  if (row.status === 'paid') await announcePaid(tx, document);
  return document;
}

async function numberOf(tx: TenantTransaction, draft: DocumentRow): Promise<DocumentRow> {
  const { document_type: type } = draft;
  const [counter] = await tx.query<{ last_number: number }>(NEXT_NUMBER, [tx.clientId, type]);
  if (counter === undefined) throw new Error('the counter of finance documents returned no row');
  const { last_number: sequence } = counter;
  return {
    ...draft,
    // A draft made from a paid quote brings its payments along.
    status: settledStatus({ ...draft, status: 'issued' }),
    document_number: documentNumber(type, sequence),
    sequence_number: sequence,
  };
}

/** For an invoice that no payment of this moment settles: made from a paid quote, or credited for what was left to pay. */
async function announcePaid(tx: TenantTransaction, document: FinanceDocumentData): Promise<void> {
  const payment = await lastPaymentOf(tx, document.id);
  recordEvent(tx, { name: `${document.document_type}.paid`, data: { document, payment } });
}

/** An issued credit note takes its total off the invoice's amount due; more than the invoice's total can't be credited. */
async function creditInvoice(
  tx: TenantTransaction,
  caller: Caller,
  { creditNote, invoiceId, now }: { creditNote: DocumentRow; invoiceId: number; now: number },
): Promise<void> {
  const row = await lockDocument(tx, { document_type: 'invoice', document_id: invoiceId });
  checkCreditedContact(creditNote, row);
  const credited = row.credited_minor + creditNote.total_minor;
  if (credited > row.total_minor) {
    const left = String(toMajor(row.total_minor - row.credited_minor, row.currency));
    const number = row.document_number ?? String(invoiceId);
    throw ApiError.unprocessable(`Of ${number} no more than ${left} ${row.currency} can be credited.`, [
      { field: 'lines', issue: `the total must be at most ${left}` },
    ]);
  }
  const { document, changes, becamePaid } = await settle(tx, caller, { row, to: { credited_minor: credited }, now });
  note(tx, caller, 'invoice.credited', { document, changes, details: { credit_note_id: creditNote.id } });
  recordEvent(tx, { name: 'invoice.updated', data: { document, changes } });
  if (becamePaid) await announcePaid(tx, document);
}
