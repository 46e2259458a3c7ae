import { z } from 'zod';
import { ApiKeyId, ApiKeyRecord } from '../../../domain/contracts/api-keys.ts';
import { API_KEY_CHANGED, deleteApiKey } from '../../../domain/keys/index.ts';
import { operation } from '../../operation.ts';

export const deleteApiKeyOperation = operation({
  name: 'delete-api-key',
  title: 'Delete an API key',
  description:
    'Revokes an API key at once. The record stays, inactive and under its name; PATCH with is_active true activates it again.',
  area: 'API keys',
  scopes: null,
  input: z.strictObject({ id: ApiKeyId }),
  output: ApiKeyRecord,
  effects: 'destructive',
  route: { method: 'delete', path: '/api/v1/integrations/api-keys/{id}', auth: ['jwt'], params: ['id'] },
  errors: ['NOT_FOUND'],
  run: async ({ caller, tx, services }, { id }) => ({
    data: await deleteApiKey(tx, caller, id, { vault: services.vault, now: services.clock.now() }),
    afterCommit: () => services.broadcast.publish(API_KEY_CHANGED, String(id)),
  }),
});
