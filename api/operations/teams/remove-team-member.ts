import { RemovedTeamMember, RemoveTeamMember } from '../../../domain/contracts/teams.ts';
import { removeTeamMember } from '../../../domain/people/index.ts';
import { operation } from '../../operation.ts';

export const removeTeamMemberOperation = operation({
  name: 'remove-team-member',
  title: 'Take a user out of a team',
  description:
    'Takes a user out of a team; work assigned to either stays as it is. One who is not in the team is success as well, with removed false. For owners and admins.',
  area: 'People',
  scopes: null,
  input: RemoveTeamMember,
  output: RemovedTeamMember,
  effects: 'destructive',
  idempotent: true,
  route: {
    method: 'delete',
    path: '/api/v1/teams/{team_id}/members/{user_id}',
    auth: ['jwt'],
    params: ['team_id', 'user_id'],
  },
  errors: ['FORBIDDEN', 'NOT_FOUND'],
  run: async ({ caller, tx }, input) => ({ data: await removeTeamMember(tx, caller, input) }),
});
