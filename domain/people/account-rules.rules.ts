import type { Role } from '../contracts/caller.ts';

/** Whoever changes users, and the user that is changed. */
export interface Party {
  id: number;
  role: Role;
}

export interface AccountChange {
  role?: Role | undefined;
  is_active?: boolean | undefined;
}

/** Why somebody may not give a user this role at its creation; undefined when it is allowed. */
export function refusalToAdd(actor: Role, role: Role): string | undefined {
  if (actor !== 'owner' && actor !== 'admin') return 'Users are managed by owners and admins.';
  return role === 'owner' && actor !== 'owner' ? 'Only an owner makes owners.' : undefined;
}

/** Why somebody may not change, or invite, this user at all. */
export function refusalToTouch(actor: Party, user: Party): string | undefined {
  const refusal = refusalToAdd(actor.role, user.role);
  return refusal !== undefined && user.role === 'owner' && actor.role === 'admin'
    ? 'Only an owner changes owners.'
    : refusal;
}

/**
 * What nobody does to oneself. Whoever acts is an active owner or admin, owners are touched by owners only, and so one
 * active owner is always left.
 */
export function refusalToOneself(actor: Party, user: Party, { role, is_active }: AccountChange): string | undefined {
  if (actor.id !== user.id) return undefined;
  if (is_active === false) return 'You can’t deactivate yourself; ask another owner or admin.';
  return role !== undefined && role !== user.role
    ? 'You can’t change your own role; ask another owner or admin.'
    : undefined;
}
