import { GetActiveUsers, UserList } from '../../../domain/contracts/people.ts';
import { getUsers } from '../../../domain/people/index.ts';
import { operation } from '../../operation.ts';

export const getActiveUsersOperation = operation({
  name: 'get-active-users',
  title: 'List users',
  description:
    'Returns the people who can sign in, in the order of their ids: id, name, e-mail, role. Use it to find the user id that assigned_to, assigned_users, target_user_id and participant_user_ids take. By default only active users; status chooses others, search narrows by name or e-mail. At most 500 at a time. For the staff list with departments and managers use get-employees.',
  area: 'People',
  scopes: ['users:read'],
  input: GetActiveUsers,
  output: UserList,
  paginated: true,
  effects: 'read',
  action: true,
  run: async ({ tx }, input) => {
    const { users, pagination } = await getUsers(tx, input);
    return { data: { users }, pagination };
  },
});
