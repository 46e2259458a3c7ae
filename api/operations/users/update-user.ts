import { AccountView, UpdateUser, UserId } from '../../../domain/contracts/users.ts';
import { updateUser } from '../../../domain/people/index.ts';
import { userChanged } from '../../access-changed.ts';
import { operation } from '../../operation.ts';

export const updateUserOperation = operation({
  name: 'update-user',
  title: 'Change a user',
  description:
    'Changes the given fields of a user. is_active false ends all that is signed in as the user at once and turns the API keys of the user off; true gives the sign-in back, the keys stay off. A smaller role bites at once, in keys and OAuth applications of the user too. For owners and admins; only an owner changes owners; nobody deactivates themselves or changes their own role.',
  area: 'Users',
  scopes: null,
  input: UpdateUser.extend({ user_id: UserId }),
  output: AccountView,
  effects: 'write',
  idempotent: true,
  route: { method: 'patch', path: '/api/v1/users/{user_id}', auth: ['jwt'], params: ['user_id'] },
  errors: ['FORBIDDEN', 'NOT_FOUND', 'UNPROCESSABLE_ENTITY'],
  run: async ({ caller, tx, services }, { user_id: id, ...input }) => {
    const { account, hasNewRights } = await updateUser(tx, caller, { id, input }, services.clock.now());
    return {
      data: account,
      ...(hasNewRights ? { afterCommit: () => userChanged(services, id) } : {}),
    };
  },
});
