import { audit } from '../audit/index.ts';
import type { Caller } from '../contracts/caller.ts';
import { isoMoment } from '../contracts/common.ts';
import type { Page } from '../contracts/common.ts';
import { ApiError } from '../contracts/errors.ts';
import type {
  ListTeamMembersInput,
  PutTeamMemberInput,
  RemoveTeamMemberInput,
  TeamMemberView,
} from '../contracts/teams.ts';
import { statement } from '../../platform/db/statement.ts';
import type { TenantTransaction } from '../../platform/db/transaction.ts';
import { checkMayChange } from './may-change.ts';
import { getTeam, lockTeam } from './teams.service.ts';

const MEMBER = `
  select m.team_id, u.id as user_id, u.name, u.email, u.is_active, m.role, m.created_at as joined_at
  from team_memberships m join users u on u.client_id = m.client_id and u.id = m.user_id
  where m.client_id = $1 and m.team_id = $2`;
const LIST = statement(`${MEMBER} order by lower(u.name), u.id limit $3 offset $4`);
const COUNT = statement('select count(*) as total from team_memberships where client_id = $1 and team_id = $2');
const GET = statement(`${MEMBER} and m.user_id = $3`);
const USER = statement('select is_active from users where client_id = $1 and id = $2');
const JOIN = statement('insert into team_memberships (client_id, team_id, user_id, role) values ($1, $2, $3, $4)');
const SET_ROLE = statement(`
  update team_memberships set role = $4 where client_id = $1 and team_id = $2 and user_id = $3`);
const LEAVE = statement(`
  delete from team_memberships where client_id = $1 and team_id = $2 and user_id = $3 returning role`);

type MemberRow = Omit<TeamMemberView, 'joined_at'> & { joined_at: Date };

/** By name. */
export async function listTeamMembers(
  tx: TenantTransaction,
  { team_id, limit, offset }: ListTeamMembersInput,
): Promise<{ members: TeamMemberView[]; pagination: Page }> {
  const [, rows, [count]] = await Promise.all([
    getTeam(tx, team_id),
    tx.query<MemberRow>(LIST, [tx.clientId, team_id, limit, offset]),
    tx.query<{ total: number }>(COUNT, [tx.clientId, team_id]),
  ]);
  return { members: rows.map(viewOf), pagination: { total: count?.total ?? 0, limit, offset } };
}

/** Takes a user into a team, or gives one who is in it another role. */
export async function putTeamMember(
  tx: TenantTransaction,
  caller: Caller,
  { team_id, user_id, role }: PutTeamMemberInput,
): Promise<TeamMemberView> {
  checkMayChange(caller);
  const { team_id: id } = await lockTeam(tx, team_id);
  const place = [tx.clientId, id, user_id];
  const [isActive, [before]] = await Promise.all([isActiveUser(tx, user_id), tx.query<MemberRow>(GET, place)]);
  if (before?.role === role) return viewOf(before);
  if (before === undefined && !isActive) {
    throw ApiError.unprocessable(`The user ${String(user_id)} is deactivated, and so joins no team.`);
  }
  tx.write(before === undefined ? JOIN : SET_ROLE, [...place, role]);
  const details =
    before === undefined ? { user_id, role } : { user_id, changes: { role: { from: before.role, to: role } } };
  audit(tx, caller, {
    action: before === undefined ? 'team.member_added' : 'team.member_updated',
    subjectType: 'team',
    subjectId: id,
    details,
  });
  const [after] = await tx.query<MemberRow>(GET, place);
  if (after === undefined) throw new Error('a user who joined a team is not in it');
  return viewOf(after);
}

/** Success whether the user was in the team or not. */
export async function removeTeamMember(
  tx: TenantTransaction,
  caller: Caller,
  { team_id, user_id }: RemoveTeamMemberInput,
): Promise<{ removed: boolean }> {
  checkMayChange(caller);
  const { team_id: id } = await lockTeam(tx, team_id);
  const [, [left]] = await Promise.all([
    isActiveUser(tx, user_id),
    tx.query<{ role: string }>(LEAVE, [tx.clientId, id, user_id]),
  ]);
  if (left === undefined) return { removed: false };
  const details = { user_id, role: left.role };
  audit(tx, caller, { action: 'team.member_removed', subjectType: 'team', subjectId: id, details });
  return { removed: true };
}

/** 404 for who is no user of the client. */
async function isActiveUser(tx: TenantTransaction, id: number): Promise<boolean> {
  const [user] = await tx.query<{ is_active: boolean }>(USER, [tx.clientId, id]);
  if (user === undefined) throw ApiError.notFound('user', id);
  return user.is_active;
}

function viewOf(row: MemberRow): TeamMemberView {
  return { ...row, joined_at: isoMoment(row.joined_at) };
}
