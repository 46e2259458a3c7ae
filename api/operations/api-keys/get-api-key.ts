import { z } from 'zod';
import { ApiKeyDetail, ApiKeyId } from '../../../domain/contracts/api-keys.ts';
import { getApiKey } from '../../../domain/keys/index.ts';
import { operation } from '../../operation.ts';

export const getApiKeyOperation = operation({
  name: 'get-api-key',
  title: 'Get an API key',
  description: 'Returns one API key with the number of requests made with it.',
  area: 'API keys',
  scopes: null,
  input: z.strictObject({ id: ApiKeyId }),
  output: ApiKeyDetail,
  effects: 'read',
  route: { method: 'get', path: '/api/v1/integrations/api-keys/{id}', auth: ['jwt'], params: ['id'] },
  errors: ['NOT_FOUND'],
  run: async ({ caller, tx, services }, { id }) => ({
    data: await getApiKey(tx, caller, id, { vault: services.vault, now: services.clock.now() }),
  }),
});
