import { z } from 'zod';
import { ApiKeyId, ApiKeyRecord, RotateApiKey } from '../../../domain/contracts/api-keys.ts';
import { API_KEY_CHANGED, rotateApiKey } from '../../../domain/keys/index.ts';
import { operation } from '../../operation.ts';

export const rotateApiKeyOperation = operation({
  name: 'rotate-api-key',
  title: 'Rotate an API key',
  description:
    'Gives an API key of your own a new secret; nobody rotates the keys of others. The old one works beside it for the grace; the one before that stops at once.',
  area: 'API keys',
  scopes: null,
  input: RotateApiKey.extend({ id: ApiKeyId }),
  output: ApiKeyRecord,
  extras: { api_key: z.string().describe('The new full key; keep it now').meta({ example: 'svc_sk_...' }) },
  effects: 'write',
  route: { method: 'post', path: '/api/v1/integrations/api-keys/{id}/rotate', auth: ['jwt'], params: ['id'] },
  errors: ['NOT_FOUND', 'FORBIDDEN', 'CONFLICT'],
  run: async ({ caller, tx, services }, { id, grace_hours: graceHours }) => {
    const deps = { vault: services.vault, now: services.clock.now() };
    const { record, apiKey } = await rotateApiKey(tx, caller, { id, graceHours }, deps);
    return {
      data: record,
      extras: { api_key: apiKey },
      afterCommit: () => services.broadcast.publish(API_KEY_CHANGED, String(id)),
    };
  },
});
