export { API_KEY_VAULT_CONTEXT } from './api-key.view.ts';
export { createApiKey, getApiKey, listApiKeys } from './api-keys.service.ts';
export { deleteApiKey, disableKeysOf, rotateApiKey, updateApiKey } from './change-api-key.service.ts';
export { addressCheck } from './ip-allowlist.ts';
export type { AddressCheck } from './ip-allowlist.ts';
export { KeyUsage } from './key-usage.ts';
export { apiKeyAudit, revealApiKey } from './reveal-api-key.service.ts';
export type { RevealRefusal } from './reveal-api-key.service.ts';
export { API_KEY_CHANGED, API_KEY_PREFIX } from './secret.ts';
