import type { Caller } from '../contracts/caller.ts';
import { minorDigits } from '../contracts/currencies.ts';
import { ApiError } from '../contracts/errors.ts';
import { checkJsonSize, MAX_CUSTOM_FIELDS_BYTES } from '../contracts/json-size.ts';
import type { CreateFinanceDocumentInput, FinanceDocumentData } from '../contracts/finance.ts';
import { statement } from '../../platform/db/statement.ts';
import type { TenantTransaction } from '../../platform/db/transaction.ts';
import { checkAccess } from './access.ts';
import { announce } from './announce.ts';
import { contactOf } from './contact-snapshot.ts';
import type { ContactSnapshot } from './contact-snapshot.ts';
import { creditedContact, creditedInvoice } from './credited-invoice.ts';
import { COLUMNS, documentOf } from './finance-document.view.ts';
import type { DocumentRow } from './finance-document.view.ts';
import { priceLines, writeLines } from './lines.ts';
import type { Totals } from './totals.ts';
import { todayOf } from './today.ts';

const INSERT = statement(`
  insert into finance_documents (client_id, document_type, contact_id, contact_name, contact_email, contact_phone,
    contact_address, contact_tax_number, document_date, due_date, currency, subtotal_minor, discount_minor, tax_minor,
    total_minor, tax_summary, reference, notes, terms, custom_fields, invoice_id, created_by_type, created_by_id)
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22, $23)
  returning ${COLUMNS}`);

/** Makes a draft, which has no number yet and may still be changed or deleted. */
export async function createFinanceDocument(
  tx: TenantTransaction,
  caller: Caller,
  { input, now }: { input: CreateFinanceDocumentInput; now: number },
): Promise<FinanceDocumentData> {
  const { document_type: type } = input;
  checkAccess(caller, type, 'write');
  const today = todayOf(caller, now);
  const currency = currencyOf(caller, input);
  const date = input.document_date ?? today;
  checkDates(date, input.due_date ?? null);
  checkCustomFields(input.custom_fields);
  const { rows, totals } = priceLines(type, input.lines, currency);
  const { contact, credited } = await otherSide(tx, input, currency);
  const reference = input.reference ?? credited;
  const values = insertValues(caller, { ...input, reference }, { contact, date, currency, totals });
  const [row] = await tx.query<DocumentRow>(INSERT, values);
  if (row === undefined) throw new Error('insert into finance_documents returned no row');
  writeLines(tx, row.id, rows);
  const document = documentOf(row, rows, today);
  announce(tx, caller, 'created', { document });
  return document;
}

export function checkDates(date: string, due: string | null): void {
  if (due !== null && due < date) throw ApiError.invalid('due_date', `must not be before the document_date, ${date}`);
}

export function checkCustomFields(fields: Record<string, unknown> | undefined): void {
  checkJsonSize('custom_fields', fields, MAX_CUSTOM_FIELDS_BYTES);
}

/** The columns that the lines decide, in the order of every statement here. */
export function totalValues(totals: Totals): unknown[] {
  const { subtotal_minor, discount_minor, tax_minor, total_minor, tax_summary } = totals;
  return [subtotal_minor, discount_minor, tax_minor, total_minor, JSON.stringify(tax_summary)];
}

/** The columns that hold the contact, in the order of every statement here. */
export function contactValues(contact: ContactSnapshot): unknown[] {
  const { contact_id, contact_name, contact_email, contact_phone, contact_address, contact_tax_number } = contact;
  return [contact_id, contact_name, contact_email, contact_phone, contact_address, contact_tax_number];
}

function currencyOf(caller: Caller, input: CreateFinanceDocumentInput): string {
  const currency = input.currency ?? caller.client.currency;
  if (minorDigits(currency) === undefined) throw ApiError.invalid('currency', `${currency} is no ISO 4217 currency`);
  return currency;
}

/** Whom the document is for; of a credit note also the number of the invoice: a reader of the note has to know it. */
async function otherSide(
  tx: TenantTransaction,
  input: CreateFinanceDocumentInput,
  currency: string,
): Promise<{ contact: ContactSnapshot; credited?: string | undefined }> {
  const { document_type, invoice_id } = input;
  if (invoice_id === undefined) return { contact: await contactOf(tx, input) };
  if (document_type !== 'credit_note') throw ApiError.invalid('invoice_id', 'only a credit_note credits an invoice');
  const invoice = await creditedInvoice(tx, invoice_id);
  if (invoice.status === 'draft') {
    throw ApiError.unprocessable(`The invoice ${String(invoice_id)} is a draft: change or delete it instead.`);
  }
  if (invoice.currency !== currency) {
    throw ApiError.invalid('currency', `must be ${invoice.currency}, the currency of the invoice`);
  }
  return { contact: await creditedContact(tx, input, { invoice }), credited: invoice.document_number ?? undefined };
}

function insertValues(
  caller: Caller,
  input: CreateFinanceDocumentInput,
  { contact, date, currency, totals }: { contact: ContactSnapshot; date: string; currency: string; totals: Totals },
): unknown[] {
  return [
    caller.clientId,
    input.document_type,
    ...contactValues(contact),
    date,
    input.due_date ?? null,
    currency,
    ...totalValues(totals),
    input.reference ?? null,
    input.notes ?? null,
    input.terms ?? null,
    JSON.stringify(input.custom_fields ?? {}),
    input.invoice_id ?? null,
    caller.actor.type,
    caller.actor.id,
  ];
}
