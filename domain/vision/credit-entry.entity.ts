import { defineEntity, p } from '@mikro-orm/core';
import { column } from '../../platform/db/columns.ts';

/**
 * A row of the append-only credit ledger: the balance is the sum of `amount` (decisions §9), carried along in
 * `balance_after` because bookings of a client happen one after another. `step` with `reference` makes each booking happen
 * once however often it is retried (`hold`, `hold_pages`, `settle`, `refund`, `grant`).
 */
export const CreditEntry = defineEntity({
  name: 'CreditEntry',
  tableName: 'credit_entries',
  properties: {
    id: column.bigId(),
    client_id: column.clientId(),
    reference: p.text(),
    step: p.text(),
    amount: p.decimal('number').columnType('numeric(12,2)'),
    balance_after: p.decimal('number').columnType('numeric(14,2)'),
    bundle: p.text().nullable(),
    created_at: column.createdAt(),
  },
  indexes: [{ name: 'credit_entries_client_index', properties: ['client_id', 'id'] }],
  uniques: [{ name: 'credit_entries_step_unique', properties: ['client_id', 'reference', 'step'] }],
});
