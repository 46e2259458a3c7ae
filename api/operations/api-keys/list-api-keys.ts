import { z } from 'zod';
import { ApiKeyRecord } from '../../../domain/contracts/api-keys.ts';
import { canViewAllUsers } from '../../../domain/contracts/caller.ts';
import { availableScopes } from '../../../domain/contracts/scopes.ts';
import { listApiKeys } from '../../../domain/keys/index.ts';
import { operation } from '../../operation.ts';

export const listApiKeysOperation = operation({
  name: 'list-api-keys',
  title: 'List API keys',
  description:
    'Lists the API keys that you may see, newest first: all of the client for owners and admins, else your own. A testing key of your own is shown whole.',
  area: 'API keys',
  scopes: null,
  input: z.strictObject({}),
  output: z.array(ApiKeyRecord),
  extras: {
    available_scopes: z
      .record(z.string(), z.string())
      .describe('Scopes that a key of this client may hold, each with its meaning'),
    can_view_all_users: z.boolean().describe('Whether the list holds the keys of all users'),
  },
  effects: 'read',
  route: { method: 'get', path: '/api/v1/integrations/api-keys', auth: ['jwt'] },
  run: async ({ caller, tx, services }) => ({
    data: await listApiKeys(tx, caller, services.vault),
    extras: {
      available_scopes: availableScopes(caller.client.finance_tier),
      can_view_all_users: canViewAllUsers(caller),
    },
  }),
});
