import { defineEntity, p } from '@mikro-orm/core';
import { column } from '../../platform/db/columns.ts';

/**
 * An OAuth access token by its `jti`: the token itself is a JWT and is not kept. `chain_id` binds it to the code or the
 * refresh token that it stems from, so that all of a chain can be revoked together.
 */
export const OAuthAccessToken = defineEntity({
  name: 'OAuthAccessToken',
  tableName: 'oauth_access_tokens',
  properties: {
    jti: p.uuid().primary(),
    client_id: column.clientId(),
    application_id: p.integer(),
    /** Null for client credentials, where the application acts for itself. */
    user_id: p.integer().nullable(),
    chain_id: p.uuid(),
    scopes: column.textArray(),
    /** When the user last gave the password for this chain: a password changed since ends the token. */
    authenticated_at: column.moment().nullable(),
    expires_at: column.moment(),
    revoked_at: column.moment().nullable(),
    created_at: column.createdAt(),
  },
  indexes: [
    { name: 'oauth_access_tokens_chain_index', properties: ['chain_id'] },
    { name: 'oauth_access_tokens_expiry_index', properties: ['expires_at'] },
  ],
});
