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
    /** The chain: what began with one sign-in or one authorization code. */
    family_id: p.uuid(),
    token_hash: p.blob().hidden(),
    expires_at: column.moment(),
    used_at: column.moment().nullable(),
    revoked_at: column.moment().nullable(),
    created_at: column.createdAt(),
    /** The OAuth application it was issued to; null for a first-party session. */
    application_id: p.integer().nullable(),
    /** What the resource owner granted; null for a first-party session. */
    scopes: p.array().columnType('text[]').nullable(),
    /** When the user last gave the password for this chain: a password changed since ends it. */
    authenticated_at: column.moment().nullable(),
  },
  uniques: [{ name: 'refresh_tokens_hash_unique', properties: ['token_hash'] }],
  indexes: [
    { name: 'refresh_tokens_family_index', properties: ['family_id'] },
    { name: 'refresh_tokens_expiry_index', properties: ['expires_at'] },
  ],
});
