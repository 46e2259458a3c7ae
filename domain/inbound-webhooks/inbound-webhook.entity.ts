import { defineEntity, p } from '@mikro-orm/core';
import { column } from '../../platform/db/columns.ts';

/** An address that another system posts to (spec, "Inbound webhook"; decisions §8). */
export const InboundWebhook = defineEntity({
  name: 'InboundWebhook',
  tableName: 'inbound_webhooks',
  properties: {
    id: p.uuid().primary(),
    client_id: column.clientId(),
    name: p.text(),
    description: p.text().nullable(),
    webhook_type: p.text(),
    auth_method: p.text(),
    // Of auth_method api_key the digest, of hmac the secret itself, which checking a signature needs.
    key_hash: p.blob().nullable().hidden(),
    secret_ciphertext: p.blob().nullable().hidden(),
    // What was rotated away and still works for a while.
    previous_key_hash: p.blob().nullable().hidden(),
    previous_secret_ciphertext: p.blob().nullable().hidden(),
    previous_key_expires_at: column.moment().nullable(),
    is_active: p.boolean().default(true),
    created_by: p.integer(),
    deleted_at: column.moment().nullable(),
    created_at: column.createdAt(),
    updated_at: column.updatedAt(),
  },
  indexes: [
    {
      name: 'inbound_webhooks_client_index',
      properties: ['client_id', 'created_at', 'id'],
      where: '"deleted_at" is null',
    },
  ],
});
