import { ApiError } from '../contracts/errors.ts';
import { statement } from '../../platform/db/statement.ts';
import type { TenantTransaction } from '../../platform/db/transaction.ts';

/** Whom a document is for, as it stands on the document: what a contact becomes later doesn't change it. */
export interface ContactSnapshot extends Record<string, unknown> {
  contact_id: number | null;
  contact_name: string;
  contact_email: string | null;
  contact_phone: string | null;
  contact_address: string | null;
  contact_tax_number: string | null;
}

const READ = statement(`
  select id as contact_id, name as contact_name, email as contact_email, coalesce(phone, mobile) as contact_phone,
    nullif(concat_ws(E'\\n', address, nullif(concat_ws(' ', postal_code, city), ''), country), '') as contact_address,
    tax_number as contact_tax_number
  from contacts where client_id = $1 and id = $2 and deleted_at is null`);

/** The contact as it is now; undefined where it is deleted. */
export async function readContact(tx: TenantTransaction, contactId: number): Promise<ContactSnapshot | undefined> {
  const [contact] = await tx.query<ContactSnapshot>(READ, [tx.clientId, contactId]);
  return contact;
}

/** The contact that an input names in `contact_id`. */
export async function knownContact(tx: TenantTransaction, contactId: number): Promise<ContactSnapshot> {
  const contact = await readContact(tx, contactId);
  if (contact === undefined) throw ApiError.invalid('contact_id', `there is no contact ${String(contactId)}`);
  return contact;
}

/** A contact as an input names it: a record, or its details. */
export interface ContactFields {
  contact_id?: number | undefined;
  contact_name?: string | undefined;
  contact_email?: string | null | undefined;
  contact_phone?: string | null | undefined;
  contact_address?: string | null | undefined;
  contact_tax_number?: string | null | undefined;
}

const DETAILS = ['contact_email', 'contact_phone', 'contact_address', 'contact_tax_number'] as const;

/** The snapshot that an input asks for: of a record, or of what it says itself. `before`: that of the draft so far. */
export async function contactOf(
  tx: TenantTransaction,
  input: ContactFields,
  before?: ContactSnapshot,
): Promise<ContactSnapshot> {
  const given = DETAILS.filter((field) => input[field] !== undefined);
  if (input.contact_id !== undefined) {
    refuse(
      input.contact_name === undefined ? given : ['contact_name', ...given],
      'comes from the contact; leave it out',
    );
    return knownContact(tx, input.contact_id);
  }
  const isRecord = before !== undefined && before.contact_id !== null;
  if (input.contact_name === undefined && isRecord) {
    refuse(given, 'comes from the contact; give contact_name as well to replace the contact');
    return snapshotOf(before);
  }
  const name = input.contact_name ?? before?.contact_name;
  if (name === undefined) throw ApiError.badRequest('contact_id', 'is missing: give contact_id or contact_name');
  const kept = isRecord ? undefined : before;
  const detail = (field: (typeof DETAILS)[number]): string | null => {
    const value = input[field];
    return value === undefined ? (kept?.[field] ?? null) : value;
  };
  return {
    contact_id: null,
    contact_name: name,
    contact_email: detail('contact_email'),
    contact_phone: detail('contact_phone'),
    contact_address: detail('contact_address'),
    contact_tax_number: detail('contact_tax_number'),
  };
}

function refuse(fields: readonly string[], issue: string): void {
  if (fields.length > 0) throw ApiError.ofFields(fields.map((field) => ({ field, issue })));
}

/** The snapshot's fields of a wider row. */
export function snapshotOf(row: ContactSnapshot): ContactSnapshot {
  const { contact_id, contact_name, contact_email, contact_phone, contact_address, contact_tax_number } = row;
  return { contact_id, contact_name, contact_email, contact_phone, contact_address, contact_tax_number };
}
