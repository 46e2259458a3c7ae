import { defineEntity, p } from '@mikro-orm/core';
import { column } from '../../platform/db/columns.ts';

/** Money that was received or paid out, most often for a finance document (spec, "Payment"). */
export const Payment = defineEntity({
  name: 'Payment',
  tableName: 'payments',
  properties: {
    id: column.bigId(),
    client_id: column.clientId(),
    document_type: p.text().nullable(),
    document_id: p.bigint('number').nullable(),
    contact_id: p.integer().nullable(),
    amount_minor: p.bigint('number'),
    currency: p.text(),
    status: p.text().default('completed'),
    payment_method: p.text().default('other'),
    payment_date: p.date(),
    reference: p.text().nullable(),
    notes: p.text().nullable(),
    failure_reason: p.text().nullable(),
    /** What was given back of it so far. */
    refunded_minor: p.bigint('number').default(0),
    refunded_at: column.moment().nullable(),
    created_by_type: p.text(),
    created_by_id: p.text(),
    created_at: column.createdAt(),
    updated_at: column.updatedAt(),
  },
  indexes: [
    { name: 'payments_client_index', properties: ['client_id', 'id'] },
    { name: 'payments_status_index', properties: ['client_id', 'status', 'id'] },
    { name: 'payments_document_index', properties: ['client_id', 'document_id', 'id'] },
    { name: 'payments_contact_index', properties: ['client_id', 'contact_id', 'id'] },
    { name: 'payments_date_index', properties: ['client_id', 'payment_date', 'id'] },
  ],
});
