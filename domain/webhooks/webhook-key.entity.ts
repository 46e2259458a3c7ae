import { defineEntity, p } from '@mikro-orm/core';
import { column } from '../../platform/db/columns.ts';

/** A version of a webhook's signing secret (`whsec_…`), encrypted; the one before stays valid through its grace period. */
export const WebhookKey = defineEntity({
  name: 'WebhookKey',
  tableName: 'webhook_keys',
  properties: {
    webhook_id: p.integer().primary(),
    key_version: p.integer().primary(),
    client_id: column.clientId(),
    secret_ciphertext: p.blob().hidden(),
    secret_prefix: p.text(),
    expires_at: column.moment().nullable(),
    deactivated_at: column.moment().nullable(),
    created_at: column.createdAt(),
  },
});
