import { audit } from '../audit/index.ts';
import type { Caller } from '../contracts/caller.ts';
import type { ContactView, CreateContactInput, UpdateContactInput } from '../contracts/contacts.ts';
import { ApiError } from '../contracts/errors.ts';
import { recordEvent } from '../events/index.ts';
import { statement } from '../../platform/db/statement.ts';
import type { TenantTransaction } from '../../platform/db/transaction.ts';
import { COLUMNS, FIELDS, viewOf } from './contact.view.ts';
import type { ContactRow } from './contact.view.ts';

/** `$3, $4, …`: after the client and, in an update, the id. */
const places = (first: number): string[] => FIELDS.map((_, index) => `$${String(index + first)}`);

const INSERT = statement(`
  insert into contacts (client_id, ${FIELDS.join(', ')}) values ($1, ${places(2).join(', ')}) returning ${COLUMNS}`);
const GET = statement(`select ${COLUMNS} from contacts where client_id = $1 and id = $2 and deleted_at is null`);
const LOCK = statement(`
  select ${COLUMNS} from contacts where client_id = $1 and id = $2 and deleted_at is null for no key update`);
const UPDATE = statement(`
  update contacts set (${FIELDS.join(', ')}, updated_at) = (${places(3).join(', ')}, now())
  where client_id = $1 and id = $2 returning ${COLUMNS}`);
const DELETE = statement(`
  update contacts set deleted_at = now(), is_active = false, updated_at = now()
  where client_id = $1 and id = $2 and deleted_at is null returning ${COLUMNS}`);

/** Creates a contact with its event and its audit entry. */
export async function createContact(
  tx: TenantTransaction,
  caller: Caller,
  input: CreateContactInput,
): Promise<ContactView> {
  const values = FIELDS.map((field) => input[field] ?? null);
  const contact = only(await tx.query<ContactRow>(INSERT, [tx.clientId, ...values]), 'new');
  audit(tx, caller, { action: 'contact.created', subjectType: 'contact', subjectId: String(contact.id) });
  recordEvent(tx, { name: 'contact.created', data: { contact } });
  return contact;
}

/** 404 for a deleted contact and for another client's. */
export async function getContact(tx: TenantTransaction, id: number): Promise<ContactView> {
  return only(await tx.query<ContactRow>(GET, [tx.clientId, id]), id);
}

/** Sets the fields that are given; null clears one. What changes nothing is success, and tells nobody. */
export async function updateContact(
  tx: TenantTransaction,
  caller: Caller,
  { contact_id: id, ...input }: UpdateContactInput,
): Promise<ContactView> {
  const before = only(await tx.query<ContactRow>(LOCK, [tx.clientId, id]), id);
  const after = { ...before, ...input };
  const changed = FIELDS.filter((field) => after[field] !== before[field]);
  if (changed.length === 0) return before;
  const values = FIELDS.map((field) => after[field]);
  const contact = only(await tx.query<ContactRow>(UPDATE, [tx.clientId, id, ...values]), id);
  const changes = Object.fromEntries(changed.map((field) => [field, { from: before[field], to: contact[field] }]));
  audit(tx, caller, {
    action: 'contact.updated',
    subjectType: 'contact',
    subjectId: String(id),
    details: { changes },
  });
  recordEvent(tx, { name: 'contact.updated', data: { contact, changes } });
  return contact;
}

/** From now on the contact is not found; work items and documents that name it keep its id and what they wrote of it. */
export async function deleteContact(tx: TenantTransaction, caller: Caller, id: number): Promise<ContactView> {
  const contact = only(await tx.query<ContactRow>(DELETE, [tx.clientId, id]), id);
  audit(tx, caller, { action: 'contact.deleted', subjectType: 'contact', subjectId: String(id) });
  recordEvent(tx, { name: 'contact.deleted', data: { contact } });
  return contact;
}

function only(rows: readonly ContactRow[], id: number | 'new'): ContactView {
  const [row] = rows;
  if (row === undefined) throw ApiError.notFound('contact', id);
  return viewOf(row);
}
