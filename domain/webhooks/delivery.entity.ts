import { defineEntity, p } from '@mikro-orm/core';
import { column } from '../../platform/db/columns.ts';

/**
 * One event on its way to one endpoint (spec, "delivery record"; decisions §7). The endpoint is a webhook, or for a
 * Document AI callback the one-off `target`. `status`: pending → success | retrying; retrying → success | failed
 * (failed = in the DLQ); failed → expired | pending (replay, `round` + 1). `leased_until` is held by the relay that is
 * making the first send. `lane` names the endpoint among the pending ones: `webhook/<id>`, or `callback/<origin>`.
 *
 * A delivery that succeeds at the first send of a round has no attempt row for it: its own columns are that attempt.
 */
export const Delivery = defineEntity({
  name: 'Delivery',
  tableName: 'deliveries',
  properties: {
    id: column.bigId(),
    client_id: column.clientId(),
    webhook_id: p.integer().nullable(),
    event_id: p.uuid(),
    event_type: p.text(),
    work_item_id: p.bigint('number').nullable(),
    lane: p.text(),
    target: p.json<{ url: string; api_key_id?: number; oauth_application_id?: number }>().nullable(),
    status: p.text().default('pending'),
    round: p.integer().default(1),
    sends: p.integer().default(0),
    response_status: p.integer().nullable(),
    response_body: p.text().nullable(),
    error_message: p.text().nullable(),
    duration_ms: p.integer().nullable(),
    leased_until: column.moment().nullable(),
    next_attempt_at: column.moment().nullable(),
    dlq_at: column.moment().nullable(),
    dlq_reason: p.text().nullable(),
    created_at: column.createdAt(),
    delivered_at: column.moment().nullable(),
  },
  uniques: [{ name: 'deliveries_event_webhook_unique', properties: ['event_id', 'webhook_id'] }],
  indexes: [
    { name: 'deliveries_pending_index', properties: ['lane', 'id'], where: `"status" = 'pending'` },
    { name: 'deliveries_log_index', properties: ['client_id', 'webhook_id', 'id'] },
  ],
});
