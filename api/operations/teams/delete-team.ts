import { GetTeam, TeamView } from '../../../domain/contracts/teams.ts';
import { deleteTeam } from '../../../domain/people/index.ts';
import { operation } from '../../operation.ts';

export const deleteTeamOperation = operation({
  name: 'delete-team',
  title: 'Delete a team',
  description:
    'Deletes a team, takes its users out of it, and returns it as it was. While open work items, recurring jobs that go on or active workflow templates are assigned to it the answer is 409 and tells how many: give them to another team first. Ended work items keep the id. To keep the team in sight, with no new work, set is_active to false instead. For owners and admins.',
  area: 'People',
  scopes: null,
  input: GetTeam,
  output: TeamView,
  effects: 'destructive',
  route: { method: 'delete', path: '/api/v1/teams/{team_id}', auth: ['jwt'], params: ['team_id'] },
  errors: ['FORBIDDEN', 'NOT_FOUND', 'CONFLICT'],
  run: async ({ caller, tx }, { team_id }) => ({ data: await deleteTeam(tx, caller, team_id) }),
});
