import { defineEntity, p } from '@mikro-orm/core';
import { column } from '../../platform/db/columns.ts';

/** A line of a finance document. What was typed is decimal; what it comes to is in minor units of the document's currency. */
export const FinanceDocumentLine = defineEntity({
  name: 'FinanceDocumentLine',
  tableName: 'finance_document_lines',
  properties: {
    id: column.bigId(),
    client_id: column.clientId(),
    document_id: p.bigint('number'),
    line_number: p.integer(),
    description: p.text(),
    quantity: p.decimal('string').columnType('numeric(18,6)'),
    unit_price: p.decimal('string').columnType('numeric(18,6)'),
    discount_percent: p.decimal('string').columnType('numeric(7,4)').default('0'),
    tax_rate: p.decimal('string').columnType('numeric(7,4)').default('0'),
    item_code: p.text().nullable(),
    account_code: p.text().nullable(),
    discount_minor: p.bigint('number').default(0),
    net_minor: p.bigint('number').default(0),
    tax_minor: p.bigint('number').default(0),
  },
  uniques: [{ name: 'finance_document_lines_number_unique', properties: ['client_id', 'document_id', 'line_number'] }],
});
