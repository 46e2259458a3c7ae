import type { Operation } from '../../operation.ts';
import { createTeamOperation } from './create-team.ts';
import { deleteTeamOperation } from './delete-team.ts';
import { getTeamOperation } from './get-team.ts';
import { listTeamMembersOperation } from './list-team-members.ts';
import { listTeamsOperation } from './list-teams.ts';
import { putTeamMemberOperation } from './put-team-member.ts';
import { removeTeamMemberOperation } from './remove-team-member.ts';
import { updateTeamOperation } from './update-team.ts';

export const teamOperations: readonly Operation[] = [
  listTeamsOperation,
  getTeamOperation,
  createTeamOperation,
  updateTeamOperation,
  deleteTeamOperation,
  listTeamMembersOperation,
  putTeamMemberOperation,
  removeTeamMemberOperation,
];
