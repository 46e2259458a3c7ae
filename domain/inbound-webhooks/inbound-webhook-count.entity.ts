import { defineEntity, p } from '@mikro-orm/core';
import { column } from '../../platform/db/columns.ts';

/** How often a webhook was called, spread over several rows: calls at the same moment don't wait for one another's commit. */
export const InboundWebhookCount = defineEntity({
  name: 'InboundWebhookCount',
  tableName: 'inbound_webhook_counts',
  properties: {
    webhook_id: p.uuid().primary(),
    slot: p.integer().primary(),
    client_id: column.clientId(),
    receive_count: p.bigint('number'),
    last_received_at: column.moment().nullable(),
  },
});
