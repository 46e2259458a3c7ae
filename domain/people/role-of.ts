import type { Caller, Role } from '../contracts/caller.ts';
import { statement } from '../../platform/db/statement.ts';
import type { TenantTransaction } from '../../platform/db/transaction.ts';

const ROLE = statement(`select role from users where client_id = $1 and id = $2`);

/** The role of the user for whom the caller acts, with a key or an OAuth token too; null for a program that acts for nobody. */
export async function roleOf(
  tx: TenantTransaction,
  { role, userId }: Pick<Caller, 'role' | 'userId'>,
): Promise<Role | null> {
  if (role !== null || userId === null) return role;
  const [user] = await tx.query<{ role: Role }>(ROLE, [tx.clientId, userId]);
  return user?.role ?? null;
}
