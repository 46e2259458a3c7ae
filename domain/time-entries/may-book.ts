import type { Caller } from '../contracts/caller.ts';
import { ApiError } from '../contracts/errors.ts';
import { roleOf } from '../people/index.ts';
import type { TenantTransaction } from '../../platform/db/transaction.ts';

/**
 * Everyone books and corrects its own time, owners and admins anybody's; a key or an OAuth token does what its user may. A
 * program that acts for nobody has no time of its own: what it may do, its scopes say.
 */
export async function checkMayBook(
  tx: TenantTransaction,
  caller: Caller,
  users: readonly (number | null)[],
): Promise<void> {
  const { userId } = caller;
  if (userId === null || users.every((user) => user === userId)) return;
  const role = await roleOf(tx, caller);
  if (role === 'owner' || role === 'admin') return;
  throw new ApiError('FORBIDDEN', 'You book and correct your own time only; owners and admins do so for others.');
}
