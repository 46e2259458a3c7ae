import { isoMoment, MAX_COUNTED, pageOf } from '../contracts/common.ts';
import type { Page } from '../contracts/common.ts';
import type { GetActiveUsersInput, UserView } from '../contracts/people.ts';
import { statement } from '../../platform/db/statement.ts';
import type { Statement } from '../../platform/db/statement.ts';
import type { TenantTransaction } from '../../platform/db/transaction.ts';
import { containing } from './filters.rules.ts';

// Named one by one: the password hash never leaves the table.
const COLUMNS = `id, client_id, email, name, given_name, family_name, picture, email_verified, role, is_active, created_at,
  updated_at`;

type UserRow = Omit<UserView, 'user_id' | 'created_at' | 'updated_at'> & { created_at: Date; updated_at: Date };

const STATUS = { active: ['is_active'], inactive: ['not is_active'], all: [] } as const;

const pairs = new Map<string, { list: Statement; count: Statement }>();

function pairFor(conditions: readonly string[]): { list: Statement; count: Statement } {
  const where = conditions.join(' and ');
  let pair = pairs.get(where);
  if (pair === undefined) {
    pair = {
      list: statement(`select ${COLUMNS} from users where ${where} order by id limit $2 offset $3`),
      // The window stands in both, so that both take the same parameters.
      count: statement(`
        select count(*) as total from (
          select from users where ${where} and $2::int > 0 and $3::int >= 0 limit ${String(MAX_COUNTED + 1)}) counted`),
    };
    pairs.set(where, pair);
  }
  return pair;
}

/** The client's users in the order of their ids. */
export async function getUsers(
  tx: TenantTransaction,
  { status, search, limit, offset }: GetActiveUsersInput,
): Promise<{ users: UserView[]; pagination: Page }> {
  const found = search === undefined ? [] : [`(name || ' ' || email) ilike $4`];
  const { list, count } = pairFor(['client_id = $1', ...STATUS[status], ...found]);
  const values = [tx.clientId, limit, offset, ...(search === undefined ? [] : [containing(search)])];
  const [rows, [counted]] = await Promise.all([
    tx.query<UserRow>(list, values),
    tx.query<{ total: number }>(count, values),
  ]);
  return { users: rows.map(viewOf), pagination: pageOf(counted?.total ?? 0, { limit, offset }) };
}

function viewOf(row: UserRow): UserView {
  return {
    id: row.id,
    user_id: row.id,
    client_id: row.client_id,
    email: row.email,
    name: row.name,
    given_name: row.given_name,
    family_name: row.family_name,
    picture: row.picture,
    email_verified: row.email_verified,
    role: row.role,
    is_active: row.is_active,
    created_at: isoMoment(row.created_at),
    updated_at: isoMoment(row.updated_at),
  };
}
