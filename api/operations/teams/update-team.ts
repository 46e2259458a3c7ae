import { TeamView, UpdateTeam } from '../../../domain/contracts/teams.ts';
import { updateTeam } from '../../../domain/people/index.ts';
import { operation } from '../../operation.ts';

export const updateTeamOperation = operation({
  name: 'update-team',
  title: 'Change a team',
  description:
    'Changes the given fields of a team and returns the whole of it. Fields left out stay as they are; null clears the description. A team with is_active false keeps its work and takes no new. For owners and admins.',
  area: 'People',
  scopes: null,
  input: UpdateTeam,
  output: TeamView,
  effects: 'write',
  idempotent: true,
  route: { method: 'patch', path: '/api/v1/teams/{team_id}', auth: ['jwt'], params: ['team_id'] },
  errors: ['FORBIDDEN', 'NOT_FOUND', 'CONFLICT'],
  run: async ({ caller, tx }, input) => ({ data: await updateTeam(tx, caller, input) }),
});
