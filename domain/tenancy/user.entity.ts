import { defineEntity, p } from '@mikro-orm/core';
import { column } from '../../platform/db/columns.ts';

/** A person who signs in (decisions §1). `password_hash` is an argon2id string; null: has not chosen a password yet. */
export const User = defineEntity({
  name: 'User',
  tableName: 'users',
  properties: {
    id: column.id(),
    client_id: column.clientId(),
    email: p.text(),
    name: p.text(),
    given_name: p.text().nullable(),
    family_name: p.text().nullable(),
    picture: p.text().nullable(),
    email_verified: p.boolean().default(false),
    password_hash: p.text().nullable().hidden(),
    role: p.text().default('member'),
    is_active: p.boolean().default(true),
    /**
     * Tokens and sessions that rest on an older sign-in are dead. Kept by a trigger, whoever writes the hash; a deactivation
     * sets it too, so that none of them comes back with the user.
     */
    password_changed_at: column.moment().nullable(),
    created_at: column.createdAt(),
    updated_at: column.updatedAt(),
  },
  uniques: [
    { name: 'users_email_unique', expression: 'create unique index "users_email_unique" on "users" (lower("email"))' },
  ],
  indexes: [{ name: 'users_client_index', properties: ['client_id', 'id'] }],
});
