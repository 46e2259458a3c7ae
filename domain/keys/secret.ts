import { createToken, sha256 } from '../../platform/crypto.ts';
import type { Vault } from '../../platform/crypto.ts';
import { API_KEY_VAULT_CONTEXT } from './api-key.view.ts';

export const API_KEY_PREFIX = 'svc_sk_';

/** Broadcast with the id of a key whenever what authentication reads of it has changed. */
export const API_KEY_CHANGED = 'api_key.changed';

/** A new key in the forms that its row keeps: digest to find it by, ciphertext, and what a list shows of it. */
export function createSecret(vault: Vault): {
  apiKey: string;
  hash: Buffer;
  sealed: Buffer;
  keyId: string;
  masked: string;
} {
  const apiKey = createToken(API_KEY_PREFIX);
  return {
    apiKey,
    hash: sha256(apiKey),
    sealed: vault.seal(apiKey, API_KEY_VAULT_CONTEXT),
    keyId: vault.keyId,
    masked: `${apiKey.slice(0, 8)}...${apiKey.slice(-4)}`,
  };
}
