import { ApiError } from '../contracts/errors.ts';
import { statement } from '../../platform/db/statement.ts';
import type { TenantTransaction } from '../../platform/db/transaction.ts';

const USER_OF_EMPLOYEE = statement(`select user_id from employees where client_id = $1 and id = $2`);
const USER = statement(`select id as user_id from users where client_id = $1 and id = $2`);

/**
 * The user that the input names by itself or as an employee; null: an employee who never signs in and so has no logs;
 * undefined: nobody is named.
 */
export async function namedUser(
  tx: TenantTransaction,
  { employee_id: employee, user_id: user }: { employee_id?: number | undefined; user_id?: number | undefined },
): Promise<number | null | undefined> {
  if (employee !== undefined && user !== undefined) {
    throw ApiError.invalid('user_id', 'must not be given together with employee_id');
  }
  if (employee !== undefined) return known(tx, 'employee_id', employee);
  return user === undefined ? undefined : known(tx, 'user_id', user);
}

async function known(tx: TenantTransaction, field: 'employee_id' | 'user_id', id: number): Promise<number | null> {
  const query = field === 'employee_id' ? USER_OF_EMPLOYEE : USER;
  const [row] = await tx.query<{ user_id: number | null }>(query, [tx.clientId, id]);
  if (row === undefined) throw ApiError.invalid(field, `there is no ${field.replace('_id', '')} ${String(id)}`);
  return row.user_id;
}
