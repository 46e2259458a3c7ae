import { passwordRefusal } from '../../../domain/auth/index.ts';
import { ApiKeyId, RevealApiKey, RevealedApiKey } from '../../../domain/contracts/api-keys.ts';
import { revealApiKey } from '../../../domain/keys/index.ts';
import { detachedOperation } from '../../operation.ts';

export const revealApiKeyOperation = detachedOperation({
  name: 'reveal-api-key',
  title: 'Reveal an API key',
  description:
    'Returns the full key of an API key of your own in exchange for the password of your account; nobody reveals the keys of others. Every try is in the audit trail.',
  area: 'API keys',
  scopes: null,
  input: RevealApiKey.extend({ id: ApiKeyId }),
  output: RevealedApiKey,
  // There is nothing to do twice: neither the key nor a digest of the password shall be kept for an Idempotency-Key.
  effects: 'read',
  route: {
    method: 'post',
    path: '/api/v1/integrations/api-keys/{id}/reveal',
    auth: ['jwt'],
    params: ['id'],
    // The spec answers {success, api_key}, without `data`.
    shape: 'flat',
  },
  errors: ['NOT_FOUND', 'FORBIDDEN', 'RATE_LIMITED'],
  run: async ({ caller, services }, { id, password }) => {
    const checkPassword = () => passwordRefusal(services.system, caller, password);
    return { data: { api_key: await revealApiKey(services, caller, id, checkPassword) } };
  },
});
