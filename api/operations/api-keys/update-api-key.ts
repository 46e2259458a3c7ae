import { ApiKeyId, ApiKeyRecord, UpdateApiKey } from '../../../domain/contracts/api-keys.ts';
import { API_KEY_CHANGED, updateApiKey } from '../../../domain/keys/index.ts';
import { operation } from '../../operation.ts';

export const updateApiKeyOperation = operation({
  name: 'update-api-key',
  title: 'Change an API key',
  description:
    'Changes the given fields of an API key. is_active false revokes it at once, true activates it again. Scopes are added by the user who owns the key alone (403); owners and admins take some away.',
  area: 'API keys',
  scopes: null,
  input: UpdateApiKey.extend({ id: ApiKeyId }),
  output: ApiKeyRecord,
  effects: 'write',
  route: { method: 'patch', path: '/api/v1/integrations/api-keys/{id}', auth: ['jwt'], params: ['id'] },
  errors: ['NOT_FOUND', 'FORBIDDEN', 'TIER_RESTRICTED', 'CONFLICT', 'UNPROCESSABLE_ENTITY'],
  run: async ({ caller, tx, services }, { id, ...input }) => ({
    data: await updateApiKey(tx, caller, id, input, { vault: services.vault, now: services.clock.now() }),
    afterCommit: () => services.broadcast.publish(API_KEY_CHANGED, String(id)),
  }),
});
