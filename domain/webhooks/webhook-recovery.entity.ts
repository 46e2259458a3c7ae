import { defineEntity, p } from '@mikro-orm/core';
import { column } from '../../platform/db/columns.ts';

/**
 * A replay of many dead letters (`kind` replay), or of those and the events that a webhook missed (recover), on its way:
 * what is asked for, and how far it is. `phase`: dead_letters, then missed_events with `cursor_id` the last event looked at.
 */
export const WebhookRecovery = defineEntity({
  name: 'WebhookRecovery',
  tableName: 'webhook_recoveries',
  properties: {
    id: p.uuid().primary(),
    client_id: column.clientId(),
    webhook_id: p.integer(),
    kind: p.text(),
    status: p.text().default('queued'),
    phase: p.text().default('dead_letters'),
    from_at: column.moment(),
    to_at: column.moment(),
    event_type: p.text().nullable(),
    cursor_id: p.bigint('number').default(0),
    replayed: p.integer().default(0),
    created: p.integer().default(0),
    error: p.text().nullable(),
    created_at: column.createdAt(),
    finished_at: column.moment().nullable(),
  },
  indexes: [
    { name: 'webhook_recoveries_webhook_index', properties: ['client_id', 'webhook_id'] },
    { name: 'webhook_recoveries_age_index', properties: ['created_at'] },
  ],
});
