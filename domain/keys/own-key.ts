import type { Caller } from '../contracts/caller.ts';
import { ALL_SCOPES } from '../contracts/scopes.ts';
import { ApiError } from '../contracts/errors.ts';

interface OwnedKey {
  user_id: number;
  scopes: readonly string[];
}

/**
 * Whether the key is the caller's own. A key acts as the user who owns it, so nobody else gets hold of it or lets it do
 * more, owners and admins of the client neither: they would act, and read messages, as that user.
 */
export function isOwnKey(caller: Caller, { user_id }: Pick<OwnedKey, 'user_id'>): boolean {
  return caller.userId === user_id;
}

/** Why the caller may not have the whole key, old or new; undefined for its own. */
export function refusalToHold(caller: Caller, key: OwnedKey, verb: 'reveal' | 'rotate'): ApiError | undefined {
  if (isOwnKey(caller, key)) return undefined;
  return new ApiError(
    'FORBIDDEN',
    `Only the user who owns this key can ${verb} it, because it acts as that user. Owners and admins can narrow, deactivate or delete it.`,
  );
}

/** Others than its user may take scopes from a key, but give it none. */
export function checkWidening(caller: Caller, key: OwnedKey, scopes: readonly string[]): void {
  if (isOwnKey(caller, key) || key.scopes.includes(ALL_SCOPES)) return;
  const added = scopes.find((scope) => !key.scopes.includes(scope));
  if (added === undefined) return;
  throw new ApiError(
    'FORBIDDEN',
    `Only the user who owns this key can add the scope ${added} to it, because it acts as that user. Owners and admins can take scopes from it.`,
  );
}
