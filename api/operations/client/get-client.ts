import { z } from 'zod';
import { ClientView } from '../../../domain/contracts/client.ts';
import { getClient } from '../../../domain/tenancy/index.ts';
import { operation } from '../../operation.ts';

export const getClientOperation = operation({
  name: 'get-client',
  title: 'Get your client',
  description:
    'Returns the company that you work in: its name, what is printed of it on finance documents, tiers, defaults, and its limits of Document AI.',
  area: 'Client',
  scopes: null,
  input: z.strictObject({}),
  output: ClientView,
  effects: 'read',
  route: { method: 'get', path: '/api/v1/client', auth: ['jwt'] },
  run: async ({ tx }) => ({ data: await getClient(tx) }),
});
