import { z } from 'zod';
import { AccountView, ListUsers } from '../../../domain/contracts/users.ts';
import { listAccounts } from '../../../domain/people/index.ts';
import { operation } from '../../operation.ts';

export const listUsersOperation = operation({
  name: 'list-users',
  title: 'List users',
  description:
    'Lists the users of your client in the order of their ids: those who may sign in, or with status those who were deactivated. invitation_expires_at tells who has not accepted an invitation yet.',
  area: 'Users',
  scopes: ['users:read'],
  input: ListUsers,
  output: z.array(AccountView),
  paginated: true,
  effects: 'read',
  route: { method: 'get', path: '/api/v1/users', auth: ['jwt'] },
  run: async ({ tx }, input) => {
    const { accounts, pagination } = await listAccounts(tx, input);
    return { data: accounts, pagination };
  },
});
