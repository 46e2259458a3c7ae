import { ALL_SCOPES } from '../contracts/scopes.ts';
import type { Caller, Role } from '../contracts/caller.ts';
import { roleOf } from '../people/index.ts';
import type { TenantTransaction } from '../../platform/db/transaction.ts';

/** Who added a file. */
export interface Added {
  user_id: number | null;
  created_by_type: string;
  created_by_id: string;
}

/**
 * Who added a file may delete it, and so may owner and admin. A key or an OAuth token acts for its user: it may delete
 * what that user added, and with a scope that is for deleting whatever the user may.
 */
export async function mayDelete(tx: TenantTransaction, caller: Caller, file: Added): Promise<boolean> {
  if (isPrivileged(caller.role)) return true;
  if (isOfCaller(caller, file)) return true;
  if (caller.role !== null || caller.userId === null) return false;
  if (!caller.scopes.has(ALL_SCOPES) && !caller.scopes.has('work_items:delete')) return false;
  return isPrivileged(await roleOf(tx, caller));
}

function isOfCaller({ actor, userId }: Caller, { user_id, created_by_type, created_by_id }: Added): boolean {
  if (user_id !== null) return user_id === userId;
  return created_by_type === actor.type && created_by_id === actor.id;
}

function isPrivileged(role: Role | null): boolean {
  return role === 'owner' || role === 'admin';
}
