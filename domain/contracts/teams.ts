import { z } from 'zod';
import { idField, Moment, textField, windowFields } from './common.ts';

export const TEAM_ROLES = ['member', 'lead'] as const;
export type TeamRole = (typeof TEAM_ROLES)[number];

const TeamId = z.uuid().describe('UUID of the team (list-teams)');
const NAME = 'Name, which no other team of yours has in any case';
const TeamName = textField(200, NAME).trim().describe(NAME).meta({ example: 'Pumps' });
const Description = textField(2_000, 'What the team is for').nullable().optional();
const IS_ACTIVE = z.boolean().describe('false: kept for the record, takes no new work');

export const ListTeams = z.strictObject({
  search: textField(200, 'Only teams whose name or description contains this text')
    .meta({ example: 'pump' })
    .optional(),
  is_active: z.boolean().optional().describe('Only teams in use (true) or out of use (false); both when left out'),
  ...windowFields(),
});
export type ListTeamsInput = z.output<typeof ListTeams>;

export const GetTeam = z.strictObject({ team_id: TeamId });

export const CreateTeam = z.strictObject({
  name: TeamName,
  description: Description,
  is_active: IS_ACTIVE.default(true),
});
export type CreateTeamInput = z.output<typeof CreateTeam>;

export const UpdateTeam = z.strictObject({
  team_id: TeamId,
  name: TeamName.optional(),
  description: Description,
  is_active: IS_ACTIVE.optional(),
});
export type UpdateTeamInput = z.output<typeof UpdateTeam>;

export const ListTeamMembers = z.strictObject({ team_id: TeamId, ...windowFields(100) });
export type ListTeamMembersInput = z.output<typeof ListTeamMembers>;

const MemberId = idField('Id of the user (get-active-users lists them)').meta({ example: 7 });

export const PutTeamMember = z.strictObject({
  team_id: TeamId,
  user_id: MemberId,
  role: z.enum(TEAM_ROLES).default('member').describe('Role in the team; it says who leads, and grants nothing'),
});
export type PutTeamMemberInput = z.output<typeof PutTeamMember>;

export const RemoveTeamMember = z.strictObject({ team_id: TeamId, user_id: MemberId });
export type RemoveTeamMemberInput = z.output<typeof RemoveTeamMember>;

export const TeamView = z
  .object({
    team_id: z.uuid().describe('What assigned_team of a work item takes'),
    client_id: z.int(),
    name: z.string().meta({ example: 'Pumps' }),
    description: z.string().nullable(),
    is_active: z.boolean(),
    member_count: z.int().describe('How many users are in it, deactivated ones included').meta({ example: 4 }),
    created_at: Moment,
    updated_at: Moment,
  })
  .meta({ id: 'Team' });
export type TeamView = z.output<typeof TeamView>;

export const TeamList = z.object({ teams: z.array(TeamView) });

export const TeamMemberView = z
  .object({
    team_id: z.uuid(),
    user_id: z.int().meta({ example: 7 }),
    name: z.string().describe('Name of the user').meta({ example: 'Thandi Nkosi' }),
    email: z.string().meta({ example: 'thandi@acme.example' }),
    is_active: z.boolean().describe('Whether the user can sign in'),
    role: z.enum(TEAM_ROLES),
    joined_at: Moment,
  })
  .meta({ id: 'TeamMember' });
export type TeamMemberView = z.output<typeof TeamMemberView>;

export const TeamMemberList = z.object({ members: z.array(TeamMemberView) });
export const RemovedTeamMember = z
  .object({ removed: z.boolean().describe('false: the user was not in the team') })
  .meta({ id: 'RemovedTeamMember' });
