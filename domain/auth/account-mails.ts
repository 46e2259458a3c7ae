import { INVITATION_DAYS, RESET_MINUTES } from '../contracts/users.ts';
import { queueMail } from '../mails/index.ts';
import type { Transaction } from '../../platform/db/transaction.ts';
import { makeAccountLink } from './account-links.ts';
import type { NewAccountLink } from './account-links.ts';

/** Who gets a link. */
export interface LinkReceiver {
  clientId: number;
  userId: number;
  email: string;
  name: string;
}

interface LinkDeps {
  /** How people reach this API. */
  publicUrl: string;
  now: number;
}

/** Invites a user to choose a password: a link by mail, which whoever invites gets to know too. Ends the one before. */
export async function sendInvitation(
  tx: Transaction,
  user: LinkReceiver,
  from: { clientName: string; inviterName: string | null },
  deps: LinkDeps,
): Promise<NewAccountLink> {
  const link = await makeAccountLink(tx, user, 'invitation', deps);
  const { clientName, inviterName } = from;
  await queueMail(tx, user.clientId, {
    kind: 'user_invitation',
    to: user.email,
    subject: `Your invitation to ${clientName}`,
    text: `Hello ${user.name},

${inviterName === null ? 'you are invited' : `${inviterName} invites you`} to work with ${clientName} on Business Platform.
Choose your password here, within ${String(INVITATION_DAYS)} days:

${link.url}

After that you sign in with this e-mail address. Whoever has the link can choose the password: don't pass
it on. If you don't know who invites you, do nothing.
`,
    dedupeKey: `user_invitation/${String(link.id)}`,
    isConfidential: true,
  });
  return link;
}

/** Sends a user a link to choose another password. Nobody else gets to know of it. */
export async function sendPasswordReset(tx: Transaction, user: LinkReceiver, deps: LinkDeps): Promise<void> {
  const link = await makeAccountLink(tx, user, 'password_reset', deps);
  await queueMail(tx, user.clientId, {
    kind: 'password_reset',
    to: user.email,
    subject: 'Choose a new password',
    text: `Hello ${user.name},

somebody, most likely you, has asked for a new password for this e-mail address on Business Platform.
Choose it here, within ${String(RESET_MINUTES)} minutes:

${link.url}

Everything that is signed in as you ends then. If it wasn't you, do nothing: your password stays as it is.
`,
    dedupeKey: `password_reset/${String(link.id)}`,
    isConfidential: true,
  });
}
