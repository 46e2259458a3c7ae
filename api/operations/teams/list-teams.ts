import { ListTeams, TeamList } from '../../../domain/contracts/teams.ts';
import { listTeams } from '../../../domain/people/index.ts';
import { operation } from '../../operation.ts';

export const listTeamsOperation = operation({
  name: 'list-teams',
  title: 'List teams',
  description:
    'Returns your teams by name, each with how many users are in it. Use team_id of one as assigned_team of a work item. search narrows by name or description, is_active to those in use or out of use.',
  area: 'People',
  scopes: ['users:read'],
  input: ListTeams,
  output: TeamList,
  paginated: true,
  effects: 'read',
  action: true,
  route: { method: 'get', path: '/api/v1/teams', auth: ['jwt'], unwrap: 'teams' },
  run: async ({ tx }, input) => {
    const { teams, pagination } = await listTeams(tx, input);
    return { data: { teams }, pagination };
  },
});
