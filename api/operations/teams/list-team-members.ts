import { ListTeamMembers, TeamMemberList } from '../../../domain/contracts/teams.ts';
import { listTeamMembers } from '../../../domain/people/index.ts';
import { operation } from '../../operation.ts';

export const listTeamMembersOperation = operation({
  name: 'list-team-members',
  title: 'List the members of a team',
  description:
    'Returns the users in a team by name, each with the role in it. get-user-memberships is the other way round: the teams of a user.',
  area: 'People',
  scopes: ['users:read'],
  input: ListTeamMembers,
  output: TeamMemberList,
  paginated: true,
  effects: 'read',
  route: {
    method: 'get',
    path: '/api/v1/teams/{team_id}/members',
    auth: ['jwt'],
    params: ['team_id'],
    unwrap: 'members',
  },
  errors: ['NOT_FOUND'],
  run: async ({ tx }, input) => {
    const { members, pagination } = await listTeamMembers(tx, input);
    return { data: { members }, pagination };
  },
});
