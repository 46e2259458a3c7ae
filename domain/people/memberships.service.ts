import type { Caller } from '../contracts/caller.ts';
import { isoMoment } from '../contracts/common.ts';
import type { Page } from '../contracts/common.ts';
import { ApiError } from '../contracts/errors.ts';
import type { GetUserMembershipsInput, MembershipView } from '../contracts/people.ts';
import { statement } from '../../platform/db/statement.ts';
import type { TenantTransaction } from '../../platform/db/transaction.ts';

const USER = statement('select id from users where client_id = $1 and id = $2');
const COUNT = statement('select count(*) as total from team_memberships where client_id = $1 and user_id = $2');
const LIST = statement(`
  select m.team_id, t.name as team_name, t.description as team_description, t.is_active as team_is_active,
    m.user_id, u.name as user_name, m.client_id, m.role, m.created_at as joined_at
  from team_memberships m
  join teams t on t.client_id = m.client_id and t.team_id = m.team_id
  join users u on u.client_id = m.client_id and u.id = m.user_id
  where m.client_id = $1 and m.user_id = $2 order by t.name, t.team_id limit $3 offset $4`);

type MembershipRow = Omit<MembershipView, 'joined_at'> & { joined_at: Date };

/** The teams of a user, by name; of the caller's own user where none is named. */
export async function getUserMemberships(
  tx: TenantTransaction,
  caller: Caller,
  { user_id, limit, offset }: GetUserMembershipsInput,
): Promise<{ memberships: MembershipView[]; pagination: Page }> {
  const userId = user_id ?? caller.userId;
  if (userId === null) throw ApiError.badRequest('user_id', 'is required: the caller is not a user');
  const [[user], [count], rows] = await Promise.all([
    tx.query<{ id: number }>(USER, [tx.clientId, userId]),
    tx.query<{ total: number }>(COUNT, [tx.clientId, userId]),
    tx.query<MembershipRow>(LIST, [tx.clientId, userId, limit, offset]),
  ]);
  if (user === undefined) throw ApiError.notFound('user', userId);
  return {
    memberships: rows.map((row) => ({ ...row, joined_at: isoMoment(row.joined_at) })),
    pagination: { total: count?.total ?? 0, limit, offset },
  };
}
