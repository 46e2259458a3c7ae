import { CreateTeam, TeamView } from '../../../domain/contracts/teams.ts';
import { createTeam } from '../../../domain/people/index.ts';
import { operation } from '../../operation.ts';

export const createTeamOperation = operation({
  name: 'create-team',
  title: 'Create a team',
  description:
    'Makes a team that has nobody in it yet; PUT /teams/{team_id}/members/{user_id} takes users in. Two teams never have one name, in whatever case: the second is 409. For owners and admins.',
  area: 'People',
  scopes: null,
  input: CreateTeam,
  output: TeamView,
  effects: 'write',
  route: { method: 'post', path: '/api/v1/teams', auth: ['jwt'], status: 201 },
  errors: ['FORBIDDEN', 'CONFLICT'],
  run: async ({ caller, tx }, input) => ({ data: await createTeam(tx, caller, input) }),
});
