import { PutTeamMember, TeamMemberView } from '../../../domain/contracts/teams.ts';
import { putTeamMember } from '../../../domain/people/index.ts';
import { operation } from '../../operation.ts';

export const putTeamMemberOperation = operation({
  name: 'put-team-member',
  title: 'Put a user into a team',
  description:
    'Takes an active user into a team, or gives one who is in it another role; without role, that of a member. For owners and admins.',
  area: 'People',
  scopes: null,
  input: PutTeamMember,
  output: TeamMemberView,
  effects: 'write',
  idempotent: true,
  route: {
    method: 'put',
    path: '/api/v1/teams/{team_id}/members/{user_id}',
    auth: ['jwt'],
    params: ['team_id', 'user_id'],
  },
  errors: ['FORBIDDEN', 'NOT_FOUND', 'UNPROCESSABLE_ENTITY'],
  run: async ({ caller, tx }, input) => ({ data: await putTeamMember(tx, caller, input) }),
});
