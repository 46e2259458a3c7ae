import { ApiError } from '../contracts/errors.ts';
import { statement } from '../../platform/db/statement.ts';
import type { TenantTransaction } from '../../platform/db/transaction.ts';
import { contactOf, snapshotOf } from './contact-snapshot.ts';
import type { ContactFields, ContactSnapshot } from './contact-snapshot.ts';

const INVOICE = statement(`
  select status, currency, document_number, contact_id, contact_name, contact_email, contact_phone, contact_address,
    contact_tax_number
  from finance_documents where client_id = $1 and document_type = 'invoice' and id = $2`);

/** What a credit note takes over from the invoice that it credits. */
export interface CreditedInvoice extends ContactSnapshot {
  status: string;
  currency: string;
  document_number: string | null;
}

export async function creditedInvoice(tx: TenantTransaction, invoiceId: number): Promise<CreditedInvoice> {
  const [invoice] = await tx.query<CreditedInvoice>(INVOICE, [tx.clientId, invoiceId]);
  if (invoice === undefined) throw ApiError.invalid('invoice_id', `there is no invoice ${String(invoiceId)}`);
  return invoice;
}

/** The contact of a credit note: always the invoice's, else what one customer owes would be taken off by another's note. */
export function creditedContact(
  tx: TenantTransaction,
  input: ContactFields,
  { invoice, before = invoice }: { invoice: CreditedInvoice; before?: ContactSnapshot },
): Promise<ContactSnapshot> {
  checkNamed(input, invoice);
  const { contact_id: _id, contact_name, ...details } = input;
  const isNamed = input.contact_id !== undefined || contact_name !== undefined;
  return contactOf(tx, details, snapshotOf(isNamed ? invoice : before));
}

/** Refuses a contact that an input names and that isn't the invoice's. */
export function checkNamed(
  { contact_id, contact_name }: Pick<ContactFields, 'contact_id' | 'contact_name'>,
  invoice: ContactSnapshot,
): void {
  if (contact_id !== undefined && contact_id !== invoice.contact_id) throw anotherContact('contact_id', invoice);
  if (contact_name !== undefined && contact_name !== invoice.contact_name)
    throw anotherContact('contact_name', invoice);
}

/** The same of a stored draft: an earlier release let it have any contact. */
export function checkCreditedContact(creditNote: ContactSnapshot, invoice: ContactSnapshot): void {
  if (creditNote.contact_id !== invoice.contact_id) throw anotherContact('contact_id', invoice);
  if (invoice.contact_id === null) checkNamed({ contact_name: creditNote.contact_name }, invoice);
}

function anotherContact(field: 'contact_id' | 'contact_name', invoice: ContactSnapshot): ApiError {
  const { contact_id, contact_name } = invoice;
  const whose = contact_id === null ? contact_name : `${contact_name} (contact_id ${String(contact_id)})`;
  return ApiError.unprocessable(`A credit note goes to the invoice's own contact, ${whose}.`, [
    {
      field,
      issue: `must be the invoice's, ${field === 'contact_id' ? String(contact_id) : contact_name}; or leave it out`,
    },
  ]);
}
