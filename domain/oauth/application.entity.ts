import { defineEntity, p } from '@mikro-orm/core';
import { column } from '../../platform/db/columns.ts';

/**
 * A program that a client's users let act for them, or that acts for the client itself (decisions §3). Its secret is
 * found by digest; the ciphertext serves the signature of Document AI callbacks.
 */
export const OAuthApplicationEntity = defineEntity({
  name: 'OAuthApplication',
  tableName: 'oauth_applications',
  properties: {
    id: column.id(),
    client_id: column.clientId(),
    oauth_client_id: p.text(),
    name: p.text(),
    client_type: p.text().default('confidential'),
    redirect_uris: column.textArray(),
    scopes: column.textArray(),
    grant_types: column.textArray(),
    /** What is meant by an authorization request that names no scope; empty: such a request is refused. */
    default_scopes: column.textArray(),
    logo_url: p.text().nullable(),
    secret_hash: p.blob().nullable().hidden(),
    secret_ciphertext: p.blob().nullable().hidden(),
    master_key_id: p.text().nullable().hidden(),
    is_active: p.boolean().default(true),
    deleted_at: column.moment().nullable(),
    created_by_user_id: p.integer(),
    /** Who changed it last; null: its maker. The application holds no scope that this user may not grant today. */
    vouched_for_by_user_id: p.integer().nullable(),
    created_at: column.createdAt(),
    updated_at: column.updatedAt(),
  },
  uniques: [{ name: 'oauth_applications_oauth_client_id_unique', properties: ['oauth_client_id'] }],
  indexes: [{ name: 'oauth_applications_client_index', properties: ['client_id', 'id'] }],
});
