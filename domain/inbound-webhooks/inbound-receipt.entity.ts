import { defineEntity, p } from '@mikro-orm/core';
import { column } from '../../platform/db/columns.ts';

/** A call to an inbound webhook, kept as it came before it is answered (decisions §8). */
export const InboundReceipt = defineEntity({
  name: 'InboundReceipt',
  tableName: 'inbound_receipts',
  properties: {
    id: column.bigId(),
    receipt_id: p.uuid(),
    client_id: column.clientId(),
    webhook_id: p.uuid(),
    webhook_type: p.text(),
    status: p.text().default('received'),
    error_message: p.text().nullable(),
    result: p.json<Record<string, unknown>>().nullable(),
    // What a repeated call is known by. A call that was refused holds neither: corrected, it may come again.
    idempotency_key: p.text().nullable(),
    message_id: p.text().nullable(),
    /** What the sender calls the matter itself (a transaction): told in two calls, it is acted upon once. */
    effect_key: p.text().nullable(),
    headers: p.json<Record<string, string>>(),
    body: p.blob(),
    body_bytes: p.integer(),
    source_address: p.text().nullable(),
    processing_round: p.integer().default(1),
    received_at: column.createdAt(),
    processed_at: column.moment().nullable(),
  },
  uniques: [
    { name: 'inbound_receipts_receipt_unique', properties: ['receipt_id'] },
    { name: 'inbound_receipts_idempotency_unique', properties: ['webhook_id', 'idempotency_key'] },
    { name: 'inbound_receipts_message_unique', properties: ['webhook_id', 'message_id'] },
  ],
  indexes: [
    { name: 'inbound_receipts_webhook_index', properties: ['webhook_id', 'id'] },
    { name: 'inbound_receipts_received_index', properties: ['received_at'] },
    {
      name: 'inbound_receipts_effect_index',
      properties: ['webhook_id', 'effect_key'],
      where: '"effect_key" is not null',
    },
  ],
});
