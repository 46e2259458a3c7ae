import { ClientView, UpdateClient } from '../../../domain/contracts/client.ts';
import { updateClient } from '../../../domain/tenancy/index.ts';
import { clientChanged } from '../../access-changed.ts';
import { operation } from '../../operation.ts';

export const updateClientOperation = operation({
  name: 'update-client',
  title: 'Change your client',
  description:
    'Changes the given settings of the company that you work in, for everybody in it and at once. What is printed on finance documents (address, tax number, bank details and so on) goes for drafts and those issued from now on. Tiers and limits are agreed with whoever runs the platform. For owners and admins.',
  area: 'Client',
  scopes: null,
  input: UpdateClient,
  output: ClientView,
  effects: 'write',
  idempotent: true,
  route: { method: 'patch', path: '/api/v1/client', auth: ['jwt'] },
  errors: ['FORBIDDEN'],
  run: async ({ caller, tx, services }, input) => {
    const { client, isChanged } = await updateClient(tx, caller, input);
    return { data: client, ...(isChanged ? { afterCommit: () => clientChanged(services, client.id) } : {}) };
  },
});
