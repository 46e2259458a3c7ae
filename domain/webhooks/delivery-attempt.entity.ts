import { defineEntity, p } from '@mikro-orm/core';
import { column } from '../../platform/db/columns.ts';

/** One HTTP request of a delivery and what came back. `send_number` counts from 1 within a round. */
export const DeliveryAttempt = defineEntity({
  name: 'DeliveryAttempt',
  tableName: 'delivery_attempts',
  properties: {
    delivery_id: p.bigint('number').primary(),
    round: p.integer().primary(),
    send_number: p.integer().primary(),
    client_id: column.clientId(),
    webhook_revision: p.integer().nullable(),
    at: column.moment(),
    duration_ms: p.integer(),
    response_status: p.integer().nullable(),
    response_body: p.text().nullable(),
    error_message: p.text().nullable(),
  },
});
