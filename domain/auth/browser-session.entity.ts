import { defineEntity, p } from '@mikro-orm/core';
import { column } from '../../platform/db/columns.ts';

/** A sign-in of a browser at our own pages. The cookie holds the id, the row its digest. */
export const BrowserSession = defineEntity({
  name: 'BrowserSession',
  tableName: 'browser_sessions',
  properties: {
    id_hash: p.blob().primary().hidden(),
    client_id: column.clientId(),
    user_id: p.integer(),
    csrf_token: p.text().hidden(),
    authenticated_at: column.moment(),
    last_seen_at: column.moment(),
    expires_at: column.moment(),
    address: p.text().nullable(),
    user_agent: p.text().nullable(),
    created_at: column.createdAt(),
  },
  indexes: [
    { name: 'browser_sessions_user_index', properties: ['user_id'] },
    { name: 'browser_sessions_expiry_index', properties: ['expires_at'] },
  ],
});
