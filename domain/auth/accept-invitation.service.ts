import { audit } from '../audit/index.ts';
import { ApiError } from '../contracts/errors.ts';
import { statement } from '../../platform/db/statement.ts';
import type { SystemDatabase } from '../../platform/db/database.ts';
import { hashPassword } from '../../platform/password.ts';
import { endAccountLinks, findAccountLink } from './account-links.ts';
import type { OpenAccountLink } from './account-links.ts';
import { endBrowserSessions } from './browser-sessions.service.ts';
import { addressSubject, countTry, forgetFailures, loginSubject, MAX_LOGIN_FAILURES } from './failures.ts';
import type { CountedTry } from './failures.ts';

const LOCK_USER = statement(`select 1 from users where client_id = $1 and id = $2 and is_active for update`);
const USE_LINK = statement(`
  update account_links set ended_at = $2 where id = $1 and ended_at is null and expires_at > $2 returning id`);
const SET_PASSWORD = statement(`
  update users set password_hash = $3, password_changed_at = $4, email_verified = true, updated_at = now()
  where client_id = $1 and id = $2`);

const AUDIT_ACTION = { invitation: 'user.invitation_accepted', password_reset: 'user.password_reset' } as const;

/** The link that a browser or a program comes with, and its try, which counts until it is taken back. */
export interface PresentedLink {
  link: OpenAccountLink;
  counted: CountedTry;
}

/**
 * The open link of a token, else UNAUTHORIZED: the same for one that never was, was used, or has expired. Wrong ones are
 * counted with the failed sign-ins of the address.
 */
export async function presentAccountLink(
  system: SystemDatabase,
  { token, address, now }: { token: string; address: string | null; now: number },
): Promise<PresentedLink> {
  const subjects = address === null ? [] : [addressSubject(address)];
  const counted = await countTry(system, subjects, MAX_LOGIN_FAILURES);
  const link = await findAccountLink(system, token, now);
  if (link === undefined) throw linkOver();
  return { link, counted };
}

/** Its receiver has come: the try doesn't count. */
export function forgetPresented(system: SystemDatabase, { counted }: PresentedLink): Promise<void> {
  // No account by this name: an open link is no reason to forget wrong passwords.
  return forgetFailures(system, '', counted);
}

/**
 * Sets the password that the receiver of a link has chosen. The mail has arrived, so the address is verified. All that
 * rests on an older password ends, and so do the user's other links.
 */
export async function acceptInvitation(
  system: SystemDatabase,
  input: { token: string; password: string; address: string | null; now: number },
): Promise<{ userId: number; email: string }> {
  const presented = await presentAccountLink(system, input);
  const { client_id: clientId, user_id: userId, email, kind, id: linkId } = presented.link;
  const passwordHash = await hashPassword(input.password);
  const at = new Date(input.now);
  await system.transaction(async (tx) => {
    // The user before its links, as a change of the user locks them.
    const [user] = await tx.query(LOCK_USER, [clientId, userId]);
    const [used] = await tx.query(USE_LINK, [linkId, at]);
    if (user === undefined || used === undefined) throw linkOver();
    tx.write(SET_PASSWORD, [clientId, userId, passwordHash, at]);
    endBrowserSessions(tx, userId);
    endAccountLinks(tx, { clientId, userId }, { now: input.now });
    const id = String(userId);
    const actor = { clientId, actor: { type: 'user', id }, address: input.address } as const;
    audit(tx, actor, { action: AUDIT_ACTION[kind], subjectType: 'user', subjectId: id });
  });
  await forgetFailures(system, loginSubject(email), presented.counted);
  return { userId, email };
}

function linkOver(): ApiError {
  return new ApiError('UNAUTHORIZED', 'This link is not valid any more. Ask for a new one.');
}
