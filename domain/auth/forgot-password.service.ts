import { setTimeout as sleep } from 'node:timers/promises';
import { audit } from '../audit/index.ts';
import { ApiError } from '../contracts/errors.ts';
import type { SystemDatabase } from '../../platform/db/database.ts';
import { statement } from '../../platform/db/statement.ts';
import { sendPasswordReset } from './account-mails.ts';
import { countTry } from './failures.ts';
import type { CountedWindow } from './failures.ts';

const PER_EMAIL = 5;
const PER_ADDRESS = 20;
const WINDOW: CountedWindow = {
  seconds: 3_600,
  refusal: 'Too many new passwords were asked for from this address; wait before the next try.',
};

/** Far longer than the work takes: the answer's time doesn't tell whether there was any. */
const ANSWER_MS = 250;

const FIND = statement(`
  select id, client_id, email, name from users where lower(email) = lower($1) and is_active`);

interface UserRow extends Record<string, unknown> {
  id: number;
  client_id: number;
  email: string;
  name: string;
}

export interface ForgottenPassword {
  email: string;
  address: string | null;
}

/**
 * Mails a link for a new password to an active user of this e-mail address. Whoever asks learns nothing: not whether there
 * is such a user, nor that it was asked too often for. RATE_LIMITED for a network address that asks for many.
 */
export async function forgotPassword(
  deps: { system: SystemDatabase; publicUrl: string; now: number },
  { email, address }: ForgottenPassword,
): Promise<void> {
  if (address !== null) await countTry(deps.system, [`forgotten-address:${address}`], PER_ADDRESS, WINDOW);
  await Promise.all([mailLink(deps, { email, address }), sleep(ANSWER_MS)]);
}

async function mailLink(
  { system, publicUrl, now }: { system: SystemDatabase; publicUrl: string; now: number },
  { email, address }: ForgottenPassword,
): Promise<void> {
  try {
    await countTry(system, [`forgotten:${email.toLowerCase()}`], PER_EMAIL, WINDOW);
  } catch (error) {
    if (error instanceof ApiError && error.code === 'RATE_LIMITED') return;
    throw error;
  }
  await system.transaction(async (tx) => {
    const [user] = await tx.query<UserRow>(FIND, [email]);
    if (user === undefined) return;
    const { id: userId, client_id: clientId } = user;
    await sendPasswordReset(tx, { clientId, userId, email: user.email, name: user.name }, { publicUrl, now });
    const id = String(userId);
    const actor = { clientId, actor: { type: 'user', id }, address } as const;
    audit(tx, actor, { action: 'user.password_reset_requested', subjectType: 'user', subjectId: id });
  });
}
