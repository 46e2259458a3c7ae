import { defineEntity, p } from '@mikro-orm/core';
import { column } from '../../platform/db/columns.ts';

/**
 * One link of a chain of rotating refresh tokens. A token used twice revokes its whole `family_id`
 * (spec, "States and transitions"; RFC 9700 §4.14).
 */
export const RefreshToken = defineEntity({
  name: 'RefreshToken',
  tableName: 'refresh_tokens',
  properties: {
    id: column.bigId(),
    client_id: column.clientId(),
    user_id: p.integer(),
    family_id: p.uuid(),
    token_hash: p.blob().hidden(),
    expires_at: column.moment(),
    used_at: column.moment().nullable(),
    revoked_at: column.moment().nullable(),
    created_at: column.createdAt(),
  },
  uniques: [{ name: 'refresh_tokens_hash_unique', properties: ['token_hash'] }],
  indexes: [
    { name: 'refresh_tokens_family_index', properties: ['family_id'] },
    { name: 'refresh_tokens_expiry_index', properties: ['expires_at'] },
  ],
});
