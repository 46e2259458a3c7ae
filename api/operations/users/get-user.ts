import { z } from 'zod';
import { AccountView, UserId } from '../../../domain/contracts/users.ts';
import { getAccount } from '../../../domain/people/index.ts';
import { operation } from '../../operation.ts';

export const getUserOperation = operation({
  name: 'get-user',
  title: 'Get a user',
  description: 'Returns one user of your client, also one who was deactivated.',
  area: 'Users',
  scopes: ['users:read'],
  input: z.strictObject({ user_id: UserId }),
  output: AccountView,
  effects: 'read',
  route: { method: 'get', path: '/api/v1/users/{user_id}', auth: ['jwt'], params: ['user_id'] },
  errors: ['NOT_FOUND'],
  run: async ({ tx }, { user_id }) => ({ data: await getAccount(tx, user_id) }),
});
