import { z } from 'zod';
import { ApiKeyRecord, CreateApiKey } from '../../../domain/contracts/api-keys.ts';
import { createApiKey } from '../../../domain/keys/index.ts';
import { operation } from '../../operation.ts';

export const createApiKeyOperation = operation({
  name: 'create-api-key',
  title: 'Create an API key',
  description: 'Makes an API key with the given scopes. The full key is in api_key of this answer and nowhere else.',
  area: 'API keys',
  scopes: null,
  input: CreateApiKey,
  output: ApiKeyRecord,
  extras: { api_key: z.string().describe('The full key; keep it now').meta({ example: 'svc_sk_...' }) },
  effects: 'write',
  route: { method: 'post', path: '/api/v1/integrations/api-keys', auth: ['jwt'], status: 201 },
  errors: ['FORBIDDEN', 'TIER_RESTRICTED', 'UNPROCESSABLE_ENTITY'],
  run: async ({ caller, tx, services }, input) => {
    const { record, apiKey } = await createApiKey(tx, caller, input, {
      vault: services.vault,
      now: services.clock.now(),
    });
    return { data: record, extras: { api_key: apiKey } };
  },
});
