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
    /** A deleted contact is not found any more; records that name it keep its id. */
    deleted_at: column.moment().nullable(),
    /** What the contact is found by; never read into the process. */
    search_words: p
      .text()
      .nullable()
      .generated('(contact_words(name, email, phone, mobile, city, tax_number, registration_number)) stored')
      .lazy()
      .hidden(),
    created_at: column.createdAt(),
    updated_at: column.updatedAt(),
  },
  indexes: [
    {
      name: 'contacts_client_index',
      expression: 'create index "contacts_client_index" on "contacts" ("client_id", "id") where "deleted_at" is null',
    },
    {
      name: 'contacts_type_index',
      expression:
        'create index "contacts_type_index" on "contacts" ("client_id", "contact_type", "id") where "deleted_at" is null',
    },
    {
      name: 'contacts_inactive_index',
      expression:
        'create index "contacts_inactive_index" on "contacts" ("client_id", "id") where "deleted_at" is null and not "is_active"',
    },
    {
      name: 'contacts_email_index',
      expression:
        'create index "contacts_email_index" on "contacts" ("client_id", lower("email")) where "deleted_at" is null',
    },
    {
      name: 'contacts_supplier_tax_number_index',
      expression: `create index "contacts_supplier_tax_number_index" on "contacts" ("client_id", (regexp_replace(upper("tax_number"), '[^A-Z0-9]', '', 'g'))) where "deleted_at" is null and "tax_number" is not null and "contact_type" in ('supplier', 'both')`,
    },
    {
      name: 'contacts_supplier_name_index',
      expression: `create index "contacts_supplier_name_index" on "contacts" using gin ("client_id", lower("name") gin_trgm_ops) where "deleted_at" is null and "contact_type" in ('supplier', 'both')`,
    },
    {
      name: 'contacts_words_index',
      expression: `create index "contacts_words_index" on "contacts" using gin ("client_id", "contact_type", ("is_active"::int), "search_words" gin_trgm_ops) where "deleted_at" is null`,
    },
  ],
});
