import { canViewAllUsers } from '../contracts/caller.ts';
import type { Caller } from '../contracts/caller.ts';
import { ApiError } from '../contracts/errors.ts';

/** Everyone sees who works here and in which team; who that is, owners and admins decide. */
export function checkMayChange(caller: Caller): void {
  if (canViewAllUsers(caller)) return;
  throw new ApiError('FORBIDDEN', 'Employees and teams are changed by owners and admins.');
}
