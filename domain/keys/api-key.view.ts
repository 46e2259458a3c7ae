import type { ApiKeyRecord } from '../contracts/api-keys.ts';
import type { Caller } from '../contracts/caller.ts';
import { isoMoment } from '../contracts/common.ts';
import type { Vault } from '../../platform/crypto.ts';
import { isOwnKey } from './own-key.ts';

/** What binds a sealed key to its place (see `Vault`). */
export const API_KEY_VAULT_CONTEXT = 'api_keys.key';

/** Columns of `api_keys` (alias k) that make an {@link ApiKeyRecord}. */
export const COLUMNS = `k.id, k.key_name, k.description, k.display_name, k.avatar_url, k.key_type, k.environment,
  k.is_active, k.scopes, k.allowed_ips, k.rate_limit_per_minute, k.last_used_at, k.expires_at, k.user_id, k.created_at,
  k.updated_at, k.api_key_masked, k.previous_key_expires_at, k.deleted_at, k.key_ciphertext`;

export interface ApiKeyRow extends Record<string, unknown> {
  id: number;
  key_name: string;
  description: string | null;
  display_name: string | null;
  avatar_url: string | null;
  key_type: string;
  environment: 'production' | 'testing';
  is_active: boolean;
  scopes: string[];
  allowed_ips: string[];
  rate_limit_per_minute: number | null;
  last_used_at: Date | null;
  expires_at: Date | null;
  user_id: number;
  created_at: Date;
  updated_at: Date;
  api_key_masked: string;
  previous_key_expires_at: Date | null;
  deleted_at: Date | null;
  key_ciphertext: Buffer;
}

/** The record on the wire. Only a testing key is shown whole, and to nobody but its user. */
export function viewOf(row: ApiKeyRow, caller: Caller, vault: Vault): ApiKeyRecord {
  const isShown = row.environment === 'testing' && isOwnKey(caller, row);
  return {
    id: row.id,
    key_name: row.key_name,
    description: row.description,
    display_name: row.display_name,
    avatar_url: row.avatar_url,
    key_type: row.key_type,
    environment: row.environment,
    is_active: row.is_active,
    permissions: { scopes: row.scopes },
    allowed_ips: row.allowed_ips,
    rate_limit_per_minute: row.rate_limit_per_minute,
    last_used_at: isoMoment(row.last_used_at),
    expires_at: isoMoment(row.expires_at),
    user_id: row.user_id,
    created_at: isoMoment(row.created_at),
    updated_at: isoMoment(row.updated_at),
    api_key_masked: row.api_key_masked,
    api_key_full: isShown ? vault.open(row.key_ciphertext, API_KEY_VAULT_CONTEXT) : null,
    previous_key_expires_at: isoMoment(row.previous_key_expires_at),
  };
}
