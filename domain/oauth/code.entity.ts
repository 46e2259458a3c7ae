import { defineEntity, p } from '@mikro-orm/core';
import { column } from '../../platform/db/columns.ts';

/** An authorization code, by its digest. Single use: a second exchange revokes the whole `chain_id` (RFC 6749 §4.1.2). */
export const OAuthCode = defineEntity({
  name: 'OAuthCode',
  tableName: 'oauth_codes',
  properties: {
    code_hash: p.blob().primary().hidden(),
    client_id: column.clientId(),
    application_id: p.integer(),
    user_id: p.integer(),
    chain_id: p.uuid(),
    redirect_uri: p.text(),
    scopes: column.textArray(),
    code_challenge: p.text(),
    nonce: p.text().nullable(),
    authenticated_at: column.moment(),
    expires_at: column.moment(),
    used_at: column.moment().nullable(),
    created_at: column.createdAt(),
  },
  indexes: [{ name: 'oauth_codes_expiry_index', properties: ['expires_at'] }],
});
