import { isoMoment } from '../contracts/common.ts';
import type { ContactType, ContactView } from '../contracts/contacts.ts';

/** The columns that a caller may set. */
export const FIELDS = [
  'contact_type',
  'name',
  'email',
  'phone',
  'mobile',
  'address',
  'city',
  'postal_code',
  'country',
  'tax_number',
  'registration_number',
  'website',
  'notes',
  'is_active',
] as const;

/** The columns that {@link viewOf} turns into the wire form. */
export const COLUMNS = `id, ${FIELDS.join(', ')}, client_id, created_at, updated_at`;

export type ContactRow = Omit<ContactView, 'created_at' | 'updated_at'> & {
  contact_type: ContactType;
  created_at: Date;
  updated_at: Date;
};

/** Fields are named one by one: a new column is not leaked by accident. */
export function viewOf(row: ContactRow): ContactView {
  return {
    id: row.id,
    contact_type: row.contact_type,
    name: row.name,
    email: row.email,
    phone: row.phone,
    mobile: row.mobile,
    address: row.address,
    city: row.city,
    postal_code: row.postal_code,
    country: row.country,
    tax_number: row.tax_number,
    registration_number: row.registration_number,
    website: row.website,
    notes: row.notes,
    is_active: row.is_active,
    client_id: row.client_id,
    created_at: isoMoment(row.created_at),
    updated_at: isoMoment(row.updated_at),
  };
}
