import { defineEntity, p } from '@mikro-orm/core';
import { column } from '../../platform/db/columns.ts';

/** A validated authorization request that waits for its user's decision; single use, bound to one browser session. */
export const OAuthAuthorizationRequest = defineEntity({
  name: 'OAuthAuthorizationRequest',
  tableName: 'oauth_authorization_requests',
  properties: {
    id: p.uuid().primary(),
    client_id: column.clientId(),
    application_id: p.integer(),
    session_hash: p.blob().hidden(),
    parameters: p.json(),
    expires_at: column.moment(),
    used_at: column.moment().nullable(),
    created_at: column.createdAt(),
  },
  indexes: [{ name: 'oauth_authorization_requests_expiry_index', properties: ['expires_at'] }],
});
