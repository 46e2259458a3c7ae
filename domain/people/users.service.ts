import type { Role } from '../contracts/caller.ts';
import { isoMoment, MAX_COUNTED, pageOf } from '../contracts/common.ts';
import type { Page } from '../contracts/common.ts';
import { ApiError } from '../contracts/errors.ts';
import type { GetActiveUsersInput, UserView } from '../contracts/people.ts';
import type { AccountView, ListUsersInput } from '../contracts/users.ts';
import { statement } from '../../platform/db/statement.ts';
import type { Statement } from '../../platform/db/statement.ts';
import type { TenantTransaction } from '../../platform/db/transaction.ts';
import { containing } from './filters.rules.ts';

// Named one by one: the password hash never leaves the table.
const COLUMNS = `id, client_id, email, name, given_name, family_name, picture, email_verified, role, is_active, created_at,
  updated_at`;
/** With the end of an invitation that was not accepted. */
const ACCOUNT_COLUMNS = `${COLUMNS}, (
  select max(l.expires_at) from account_links l
  where l.client_id = users.client_id and l.user_id = users.id and l.kind = 'invitation' and l.ended_at is null
  ) as invitation_expires_at`;

type UserRow = Omit<UserView, 'user_id' | 'created_at' | 'updated_at'> & { created_at: Date; updated_at: Date };
export type AccountRow = UserRow & { invitation_expires_at: Date | null };

const STATUS = { active: ['is_active'], inactive: ['not is_active'], all: [] } as const;

const pairs = new Map<string, { list: Statement; count: Statement }>();

function pairFor(columns: string, conditions: readonly string[]): { list: Statement; count: Statement } {
  const where = conditions.join(' and ');
  const name = `${columns} ${where}`;
  let pair = pairs.get(name);
  if (pair === undefined) {
    pair = {
      list: statement(`select ${columns} from users where ${where} order by id limit $2 offset $3`),
      // The window stands in both, so that both take the same parameters.
      count: statement(`
        select count(*) as total from (
          select from users where ${where} and $2::int > 0 and $3::int >= 0 limit ${String(MAX_COUNTED + 1)}) counted`),
    };
    pairs.set(name, pair);
  }
  return pair;
}

async function findUsers<Row extends Record<string, unknown>>(
  tx: TenantTransaction,
  columns: string,
  { status, role, search, limit, offset }: GetActiveUsersInput & { role?: Role | undefined },
): Promise<{ rows: Row[]; pagination: Page }> {
  const values: unknown[] = [tx.clientId, limit, offset];
  const conditions = ['client_id = $1', ...STATUS[status]];
  if (role !== undefined) conditions.push(`role = $${String(values.push(role))}`);
  if (search !== undefined) conditions.push(`(name || ' ' || email) ilike $${String(values.push(containing(search)))}`);
  const { list, count } = pairFor(columns, conditions);
  const [rows, [counted]] = await Promise.all([
    tx.query<Row>(list, values),
    tx.query<{ total: number }>(count, values),
  ]);
  return { rows, pagination: pageOf(counted?.total ?? 0, { limit, offset }) };
}

/** The client's users in the order of their ids. */
export async function getUsers(
  tx: TenantTransaction,
  input: GetActiveUsersInput,
): Promise<{ users: UserView[]; pagination: Page }> {
  const { rows, pagination } = await findUsers<UserRow>(tx, COLUMNS, input);
  return { users: rows.map(viewOf), pagination };
}

/** The same for those who manage them. */
export async function listAccounts(
  tx: TenantTransaction,
  input: ListUsersInput,
): Promise<{ accounts: AccountView[]; pagination: Page }> {
  const { rows, pagination } = await findUsers<AccountRow>(tx, ACCOUNT_COLUMNS, input);
  return { accounts: rows.map(accountOf), pagination };
}

const GET = statement(`select ${ACCOUNT_COLUMNS} from users where client_id = $1 and id = $2`);

/** One user, active or not. */
export async function getAccount(tx: TenantTransaction, id: number): Promise<AccountView> {
  const [row] = await tx.query<AccountRow>(GET, [tx.clientId, id]);
  if (row === undefined) throw ApiError.notFound('user', id);
  return accountOf(row);
}

function accountOf(row: AccountRow): AccountView {
  return { ...viewOf(row), invitation_expires_at: isoMoment(row.invitation_expires_at) };
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
