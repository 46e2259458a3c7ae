import type { Caller } from '../contracts/caller.ts';
import { ApiError } from '../contracts/errors.ts';
import type { ConvertFinanceDocumentInput, DocumentType, FinanceDocumentData } from '../contracts/finance.ts';
import { statement } from '../../platform/db/statement.ts';
import type { TenantTransaction } from '../../platform/db/transaction.ts';
import { checkAccess } from './access.ts';
import { announce, changesBetween } from './announce.ts';
import { knownContact, snapshotOf } from './contact-snapshot.ts';
import type { ContactSnapshot } from './contact-snapshot.ts';
import { checkDates, contactValues } from './create-document.service.ts';
import { checkNamed } from './credited-invoice.ts';
import { COLUMNS, documentOf } from './finance-document.view.ts';
import type { DocumentRow } from './finance-document.view.ts';
import { CONVERSIONS, endsWhenConverted, settledStatus } from './finance-documents.rules.ts';
import { linesOf, lockDocument } from './find.ts';
import { copyLines } from './lines.ts';
import { settle } from './settle.ts';
import { todayOf } from './today.ts';

const EXISTING = statement(`
  select id from finance_documents where client_id = $1 and converted_from_id = $2 and document_type = $3`);
const OTHERS = statement(`
  select 1 as one from finance_documents where client_id = $1 and converted_from_id = $2 and id <> $3 limit 1`);
const INSERT = statement(`
  insert into finance_documents (client_id, document_type, contact_id, contact_name, contact_email, contact_phone,
    contact_address, contact_tax_number, document_date, due_date, currency, subtotal_minor, discount_minor, tax_minor,
    total_minor, tax_summary, reference, notes, terms, custom_fields, paid_minor, converted_from_type, converted_from_id,
    invoice_id, created_by_type, created_by_id)
  select client_id, $3, $4, $5, $6, $7, $8, $9, $10, $11, currency, subtotal_minor, discount_minor, tax_minor, total_minor,
    tax_summary, coalesce(document_number, reference), notes, terms, custom_fields, $12, document_type, id, $13, $14, $15
  from finance_documents where client_id = $1 and id = $2
  returning ${COLUMNS}`);
const MOVE_PAYMENTS = statement(`
  update payments set document_type = $3, document_id = $4, updated_at = now() where client_id = $1 and document_id = $2`);

/**
 * Makes a draft of another type from an issued document, with its contact and lines. Once per target type: the source's
 * lock makes two calls at once wait for one another, and the second is told of the first one's draft.
 */
export async function convertFinanceDocument(
  tx: TenantTransaction,
  caller: Caller,
  { input, now }: { input: ConvertFinanceDocumentInput; now: number },
): Promise<FinanceDocumentData> {
  const { source_type, source_id, target_type } = input;
  checkAccess(caller, source_type, 'read');
  checkAccess(caller, target_type, 'write');
  if (!CONVERSIONS[source_type].includes(target_type)) throw notConvertible(source_type, target_type);
  const source = await lockDocument(tx, { document_type: source_type, document_id: source_id });
  await checkSource(tx, source, target_type);
  if (target_type === 'credit_note') checkNamed({ contact_id: input.contact_id }, source);
  const contact = input.contact_id === undefined ? snapshotOf(source) : await knownContact(tx, input.contact_id);
  const today = todayOf(caller, now);
  checkDates(today, input.due_date ?? null);
  const target = await insertTarget(tx, caller, { source, input, contact, today });
  copyLines(tx, source.id, target.id);
  const lines = await linesOf(tx, target.id);
  const document = documentOf(target, lines, today);
  const ended = await endSource(tx, caller, { source, target, now });
  announce(tx, caller, 'converted', {
    document: ended,
    changes: changesBetween(documentOf(source, lines, today), ended),
    details: { target_type, target_id: target.id },
  });
  announce(tx, caller, 'created', { document, details: { source_type, source_id } });
  return document;
}

/**
 * What a deleted draft was made from can be converted again, and where nothing else was made from it, it goes on. Payments
 * that the draft took over (all failed or refunded by now) go back to it.
 */
export async function reopenSource(
  tx: TenantTransaction,
  caller: Caller,
  { deleted, now }: { deleted: DocumentRow; now: number },
): Promise<void> {
  const { converted_from_type: type, converted_from_id: id } = deleted;
  if (type === null || id === null) return;
  const row = await lockDocument(tx, { document_type: type as DocumentType, document_id: id });
  const others = await tx.query(OTHERS, [tx.clientId, id, deleted.id]);
  tx.write(MOVE_PAYMENTS, [tx.clientId, deleted.id, type, id]);
  if (row.status !== 'converted' || others.length > 0) return;
  const status = settledStatus({ ...row, status: 'issued' });
  const { document, changes } = await settle(tx, caller, { row, to: { status }, now });
  announce(tx, caller, 'updated', { document, changes });
}

function notConvertible(source: DocumentType, target: DocumentType): ApiError {
  const possible = CONVERSIONS[source];
  const words = possible.length === 0 ? 'to nothing' : `to ${possible.join(' or ')}`;
  return ApiError.unprocessable(`A ${source} can't be converted to a ${target}, only ${words}.`, [
    {
      field: 'target_type',
      issue: possible.length === 0 ? `nothing is made from a ${source}` : `must be ${possible.join(' or ')}`,
    },
  ]);
}

async function checkSource(tx: TenantTransaction, source: DocumentRow, target: DocumentType): Promise<void> {
  const [existing] = await tx.query<{ id: number }>(EXISTING, [tx.clientId, source.id, target]);
  if (existing !== undefined) {
    const id = String(existing.id);
    throw new ApiError('CONFLICT', `This document was converted already, to the ${target} ${id}.`, {
      details: [{ field: 'document_id', issue: id }],
    });
  }
  if (source.status === 'draft') throw ApiError.unprocessable('A draft can’t be converted: issue it first.');
  if (source.status === 'cancelled') throw ApiError.unprocessable('A cancelled document can’t be converted.');
}

async function insertTarget(
  tx: TenantTransaction,
  caller: Caller,
  from: { source: DocumentRow; input: ConvertFinanceDocumentInput; contact: ContactSnapshot; today: string },
): Promise<DocumentRow> {
  const { source, input, contact, today } = from;
  const [row] = await tx.query<DocumentRow>(INSERT, [
    tx.clientId,
    source.id,
    input.target_type,
    ...contactValues(contact),
    today,
    input.due_date ?? null,
    takesPayments(source, input.target_type) ? source.paid_minor : 0,
    input.target_type === 'credit_note' ? source.id : null,
    caller.actor.type,
    caller.actor.id,
  ]);
  if (row === undefined) throw new Error('insert into finance_documents returned no row');
  return row;
}

/** What was paid on a quote counts towards its invoice. */
function takesPayments(source: DocumentRow, target: DocumentType): boolean {
  return source.document_type === 'quote' && target === 'invoice' && source.paid_minor > 0;
}

/** The source as the conversion leaves it. */
async function endSource(
  tx: TenantTransaction,
  caller: Caller,
  { source, target, now }: { source: DocumentRow; target: DocumentRow; now: number },
): Promise<FinanceDocumentData> {
  const moves = takesPayments(source, target.document_type);
  if (moves) tx.write(MOVE_PAYMENTS, [tx.clientId, source.id, target.document_type, target.id]);
  const to = {
    status: endsWhenConverted(source.document_type) ? ('converted' as const) : source.status,
    ...(moves && { paid_minor: 0 }),
  };
  return (await settle(tx, caller, { row: source, to, now })).document;
}
