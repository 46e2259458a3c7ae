import { defineEntity, p } from '@mikro-orm/core';
import { column } from '../../platform/db/columns.ts';

/**
 * A link that lets its receiver choose a password, without signing in: an invitation, or for a lost password. Found by the
 * digest of its token. `ended_at`: it was used, or another took its place.
 */
export const AccountLink = defineEntity({
  name: 'AccountLink',
  tableName: 'account_links',
  properties: {
    id: column.bigId(),
    client_id: column.clientId(),
    user_id: p.integer(),
    kind: p.text(),
    token_hash: p.blob().hidden(),
    expires_at: column.moment(),
    ended_at: column.moment().nullable(),
    created_at: column.createdAt(),
  },
  uniques: [{ name: 'account_links_hash_unique', properties: ['token_hash'] }],
  indexes: [
    { name: 'account_links_open_index', properties: ['client_id', 'user_id'], where: '"ended_at" is null' },
    { name: 'account_links_expiry_index', properties: ['expires_at'] },
  ],
});
