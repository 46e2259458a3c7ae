import { GetUserMemberships, MembershipList } from '../../../domain/contracts/people.ts';
import { getUserMemberships } from '../../../domain/people/index.ts';
import { operation } from '../../operation.ts';

export const getUserMembershipsOperation = operation({
  name: 'get-user-memberships',
  title: "List a user's teams",
  description:
    'Returns the teams that a user belongs to, by name, with the role in each. Use team_id of one as assigned_team of a work item. Without user_id: the teams of the user to whom the API key belongs. Find user ids with get-active-users.',
  area: 'People',
  scopes: ['users:read'],
  input: GetUserMemberships,
  output: MembershipList,
  paginated: true,
  effects: 'read',
  action: true,
  errors: ['NOT_FOUND'],
  run: async ({ caller, tx }, input) => {
    const { memberships, pagination } = await getUserMemberships(tx, caller, input);
    return { data: { memberships }, pagination };
  },
});
