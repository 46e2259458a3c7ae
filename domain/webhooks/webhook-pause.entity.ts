import { defineEntity, p } from '@mikro-orm/core';
import { column } from '../../platform/db/columns.ts';

/**
 * A time in which a webhook received nothing: it was inactive, or not verified. Written by a trigger on `webhooks`. Events
 * of that time are kept, and `recover` sends them (decisions §7).
 */
export const WebhookPause = defineEntity({
  name: 'WebhookPause',
  tableName: 'webhook_pauses',
  properties: {
    webhook_id: p.integer().primary(),
    paused_at: column.moment().primary(),
    client_id: column.clientId(),
    resumed_at: column.moment().nullable(),
  },
});
