import { defineEntity, p } from '@mikro-orm/core';
import { column } from '../../platform/db/columns.ts';

/** A customer or supplier of the client (spec, "Contact"). */
export const Contact = defineEntity({
  name: 'Contact',
  tableName: 'contacts',
  properties: {
    id: column.id(),
    client_id: column.clientId(),
    contact_type: p.text().default('customer'),
    name: p.text(),
    email: p.text().nullable(),
    phone: p.text().nullable(),
    mobile: p.text().nullable(),
    address: p.text().nullable(),
    city: p.text().nullable(),
    postal_code: p.text().nullable(),
    country: p.text().nullable(),
    tax_number: p.text().nullable(),
    registration_number: p.text().nullable(),
    website: p.text().nullable(),
    notes: p.text().nullable(),
    is_active: p.boolean().default(true),
    created_at: column.createdAt(),
    updated_at: column.updatedAt(),
  },
  indexes: [{ name: 'contacts_client_index', properties: ['client_id', 'id'] }],
});
