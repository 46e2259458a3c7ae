export { createApiKey, API_KEY_PREFIX, API_KEY_VAULT_CONTEXT } from './api-keys.service.ts';
export { isAddressAllowed } from './ip-allowlist.ts';
