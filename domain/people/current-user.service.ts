import type { Caller, Role } from '../contracts/caller.ts';
import type { CurrentUser } from '../contracts/current-user.ts';
import { ApiError } from '../contracts/errors.ts';
import { statement } from '../../platform/db/statement.ts';
import type { TenantTransaction } from '../../platform/db/transaction.ts';
import { dayIn } from './filters.rules.ts';

const FIND = statement(`
  select u.id as user_id, u.name, u.role,
    (select e.id from employees e where e.client_id = u.client_id and e.user_id = u.id order by e.id limit 1) as employee_id
  from users u where u.client_id = $1 and u.id = $2`);

interface Row extends Record<string, unknown> {
  user_id: number;
  name: string;
  role: Role;
  employee_id: number | null;
}

/** Who the caller acts as, for which client, with which scopes, and what day it is there. */
export async function getCurrentUser(tx: TenantTransaction, caller: Caller, now: number): Promise<CurrentUser> {
  const { client, scopes, userId } = caller;
  const [user] = await tx.query<Row>(FIND, [tx.clientId, userId]);
  if (user === undefined) throw ApiError.notFound('user', userId ?? 'of this caller');
  const { id, name, country, currency, timezone, finance_tier } = client;
  return {
    user,
    client: { client_id: id, name, country, currency, timezone, finance_tier },
    scopes: [...scopes].sort(),
    now: new Date(now).toISOString(),
    today: dayIn(timezone, now),
  };
}
