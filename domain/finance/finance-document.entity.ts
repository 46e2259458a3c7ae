import { defineEntity, p } from '@mikro-orm/core';
import { column } from '../../platform/db/columns.ts';
import type { Seller } from './seller.ts';

/**
 * A quote, invoice, credit note, bill, purchase order or delivery note. Money is in minor units of `currency`. A trigger
 * keeps what was issued as it was: after that only `status`, `paid_minor` and `credited_minor` change.
 */
export const FinanceDocument = defineEntity({
  name: 'FinanceDocument',
  tableName: 'finance_documents',
  properties: {
    id: column.bigId(),
    client_id: column.clientId(),
    document_type: p.text(),
    /** Given at issue, without gaps per client and type; null for a draft. */
    document_number: p.text().nullable(),
    sequence_number: p.integer().nullable(),
    status: p.text().default('draft'),
    contact_id: p.integer().nullable(),
    contact_name: p.text(),
    contact_email: p.text().nullable(),
    contact_phone: p.text().nullable(),
    contact_address: p.text().nullable(),
    contact_tax_number: p.text().nullable(),
    document_date: p.date(),
    due_date: p.date().nullable(),
    currency: p.text(),
    subtotal_minor: p.bigint('number').default(0),
    discount_minor: p.bigint('number').default(0),
    tax_minor: p.bigint('number').default(0),
    total_minor: p.bigint('number').default(0),
    paid_minor: p.bigint('number').default(0),
    credited_minor: p.bigint('number').default(0),
    tax_summary: p.json<{ tax_rate: string; net_minor: number; tax_minor: number }[]>().defaultRaw(`'[]'`),
    reference: p.text().nullable(),
    notes: p.text().nullable(),
    terms: p.text().nullable(),
    custom_fields: p.json<Record<string, unknown>>().defaultRaw(`'{}'`),
    converted_from_type: p.text().nullable(),
    converted_from_id: p.bigint('number').nullable(),
    /** Of a credit note: the invoice that it credits. */
    invoice_id: p.bigint('number').nullable(),
    issued_at: column.moment().nullable(),
    /** Digest of what was issued (`contentDigest`), by which a later change is found out. */
    issued_sha256: p.text().nullable(),
    /** The client as it was at issue (`seller.ts`); null for a draft. */
    seller: p.json<Seller>().nullable(),
    /** What the document is found by; never read into the process. */
    search_words: p
      .text()
      .nullable()
      .generated('(finance_document_words(document_number, contact_name, reference)) stored')
      .lazy()
      .hidden(),
    created_by_type: p.text(),
    created_by_id: p.text(),
    created_at: column.createdAt(),
    updated_at: column.updatedAt(),
  },
  uniques: [
    { name: 'finance_documents_number_unique', properties: ['client_id', 'document_type', 'sequence_number'] },
    { name: 'finance_documents_conversion_unique', properties: ['client_id', 'converted_from_id', 'document_type'] },
  ],
  indexes: [
    { name: 'finance_documents_list_index', properties: ['client_id', 'document_type', 'id'] },
    { name: 'finance_documents_status_index', properties: ['client_id', 'document_type', 'status', 'id'] },
    { name: 'finance_documents_contact_index', properties: ['client_id', 'contact_id', 'id'] },
    { name: 'finance_documents_date_index', properties: ['client_id', 'document_date', 'id'] },
    {
      name: 'finance_documents_type_date_index',
      properties: ['client_id', 'document_type', 'document_date', 'id'],
    },
    {
      name: 'finance_documents_invoice_index',
      properties: ['client_id', 'invoice_id'],
      where: '"invoice_id" is not null',
    },
    {
      name: 'finance_documents_document_number_index',
      properties: ['client_id', 'document_type', 'document_number'],
      where: '"document_number" is not null',
    },
    {
      name: 'finance_documents_words_index',
      expression: `create index "finance_documents_words_index" on "finance_documents" using gin ("client_id", "search_words" gin_trgm_ops)`,
    },
  ],
});
