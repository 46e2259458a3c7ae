import { GetTeam, TeamView } from '../../../domain/contracts/teams.ts';
import { getTeam } from '../../../domain/people/index.ts';
import { operation } from '../../operation.ts';

export const getTeamOperation = operation({
  name: 'get-team',
  title: 'Get a team',
  description: 'Returns one team with how many users are in it. list-team-members tells who they are.',
  area: 'People',
  scopes: ['users:read'],
  input: GetTeam,
  output: TeamView,
  effects: 'read',
  route: { method: 'get', path: '/api/v1/teams/{team_id}', auth: ['jwt'], params: ['team_id'] },
  errors: ['NOT_FOUND'],
  run: async ({ tx }, { team_id }) => ({ data: await getTeam(tx, team_id) }),
});
