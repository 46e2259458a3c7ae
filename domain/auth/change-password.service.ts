import type { TokenSet, UserView } from '../contracts/auth.ts';
import type { Caller } from '../contracts/caller.ts';
import { ApiError } from '../contracts/errors.ts';
import { statement } from '../../platform/db/statement.ts';
import { hashPassword } from '../../platform/password.ts';
import { endBrowserSessions } from './browser-sessions.service.ts';
import { passwordRefusal } from './confirm-password.ts';
import { beginSession, currentUser } from './sessions.service.ts';
import type { SessionDeps } from './sessions.service.ts';

const CHANGE = statement(`
  update users set password_hash = $3, password_changed_at = $4, updated_at = now()
  where id = $1 and client_id = $2 and is_active returning id`);
const AUDIT = statement(`
  insert into audit_entries (client_id, actor_type, actor_id, action, subject_type, subject_id, address)
  values ($1, 'user', $2, 'user.password_changed', 'user', $2, $3)`);

/**
 * Sets a new password and begins a new session on it. All that rests on the old one ends: other sessions, pages that are
 * signed in, and every OAuth token that acts for the user.
 */
export async function changePassword(
  deps: SessionDeps,
  caller: Caller,
  input: { current_password: string; new_password: string },
): Promise<TokenSet> {
  const userId = Number(caller.userId);
  const refused = await passwordRefusal(deps.system, caller, input.current_password);
  if (refused !== undefined) throw refused.refusal;
  if (input.new_password === input.current_password) {
    throw ApiError.invalid('new_password', 'must not be the current password');
  }
  const user: UserView = await currentUser(deps, caller.clientId, userId);
  const passwordHash = await hashPassword(input.new_password);
  return deps.system.transaction(async (tx) => {
    const [changed] = await tx.query(CHANGE, [userId, caller.clientId, passwordHash, new Date(deps.now)]);
    if (changed === undefined) throw new ApiError('UNAUTHORIZED', 'The user of this token is no longer active.');
    endBrowserSessions(tx, userId);
    tx.write(AUDIT, [caller.clientId, String(userId), caller.address]);
    return beginSession(tx, deps, user);
  });
}
