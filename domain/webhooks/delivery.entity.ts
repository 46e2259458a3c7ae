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
    /** A test: one send, made by the process that was asked; never pending, never a dead letter, never replayed. */
    is_test: p.boolean().default(false),
    /** `events.id`: the order of what happened; `is_ordered` ones (webhook with ordering per_item) are sent in it. */
    event_seq: p.bigint('number').nullable(),
    is_ordered: p.boolean().default(false),
    /** Which revision of its webhook made the last request (`WebhookRevision`). */
    webhook_revision: p.integer().nullable(),
    lane: p.text(),
    target: p.json<{ url: string; api_key_id?: number; oauth_application_id?: number; is_sandbox?: true }>().nullable(),
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
    {
      name: 'deliveries_ordered_index',
      properties: ['webhook_id', 'work_item_id', 'event_seq'],
      where: `"is_ordered" and "status" in ('pending', 'retrying')`,
    },
    // Without what is pending, which its lane finds: a delivery that succeeds at once is written to each of these once.
    {
      name: 'deliveries_log_index',
      properties: ['client_id', 'webhook_id', 'status', 'created_at', 'id'],
      where: `"status" <> 'pending'`,
    },
    {
      name: 'deliveries_event_type_index',
      properties: ['client_id', 'webhook_id', 'event_type', 'status', 'created_at', 'id'],
      where: `"status" <> 'pending'`,
    },
    {
      name: 'deliveries_dlq_index',
      properties: ['client_id', 'webhook_id', 'dlq_at', 'id'],
      where: `"status" = 'failed'`,
    },
    {
      name: 'deliveries_dlq_event_type_index',
      properties: ['client_id', 'webhook_id', 'event_type', 'dlq_at', 'id'],
      where: `"status" = 'failed'`,
    },
    { name: 'deliveries_dead_index', properties: ['dlq_at'], where: `"status" = 'failed'` },
    // Worded so that no other statement can use it: the planner takes it to be all but empty (see `IS_PENDING`).
    {
      name: 'deliveries_retrying_index',
      properties: ['next_attempt_at'],
      where: `case "status" when 'retrying' then true else null end`,
    },
  ],
});
