import { defineEntity, p } from '@mikro-orm/core';
import { column } from '../../platform/db/columns.ts';

/**
 * A server-to-server key (spec, "API key"; decisions §2). Found by its SHA-256; the ciphertext (AES-256-GCM, its key id
 * beside it) serves reveal, `api_key_full` of testing keys and the Document AI callback signature.
 */
export const ApiKey = defineEntity({
  name: 'ApiKey',
  tableName: 'api_keys',
  properties: {
    id: column.id(),
    client_id: column.clientId(),
    user_id: p.integer(),
    key_name: p.text(),
    description: p.text().nullable(),
    display_name: p.text().nullable(),
    avatar_url: p.text().nullable(),
    key_type: p.text().default('integration'),
    environment: p.text().default('production'),
    is_active: p.boolean().default(true),
    scopes: column.textArray(),
    allowed_ips: column.textArray(),
    rate_limit_per_minute: p.integer().nullable(),
    last_used_at: column.moment().nullable(),
    expires_at: column.moment().nullable(),
    total_requests: p.bigint('number').defaultRaw('0'),
    key_hash: p.blob().hidden(),
    previous_key_hash: p.blob().nullable().hidden(),
    previous_key_expires_at: column.moment().nullable(),
    key_ciphertext: p.blob().hidden(),
    master_key_id: p.text().hidden(),
    api_key_masked: p.text(),
    deleted_at: column.moment().nullable(),
    created_at: column.createdAt(),
    updated_at: column.updatedAt(),
  },
  uniques: [
    { name: 'api_keys_hash_unique', properties: ['key_hash'] },
    { name: 'api_keys_previous_hash_unique', properties: ['previous_key_hash'] },
    { name: 'api_keys_name_unique', properties: ['client_id', 'key_name'] },
  ],
});
