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
    /** The private key that makes `v1a` signatures, and the public one (`whpk_…`); null while they are not asked for. */
    ed25519_ciphertext: p.blob().nullable().hidden(),
    ed25519_public: p.text().nullable(),
    expires_at: column.moment().nullable(),
    deactivated_at: column.moment().nullable(),
    created_at: column.createdAt(),
  },
  indexes: [
    {
      name: 'webhook_keys_expiry_index',
      properties: ['expires_at'],
      where: '"deactivated_at" is null and "expires_at" is not null',
    },
  ],
});
