import { INVITATION_DAYS, RESET_MINUTES } from '../contracts/users.ts';
import { createToken, isWellFormedToken, sha256 } from '../../platform/crypto.ts';
import type { SystemDatabase } from '../../platform/db/database.ts';
import { statement } from '../../platform/db/statement.ts';
import type { Transaction } from '../../platform/db/transaction.ts';

const TOKEN_PREFIX = 'svc_in_';
const MINUTE_MS = 60_000;
/** The page that the links lead to. */
export const ACCOUNT_LINK_PATH = '/invitation';

/** Whoever invites knows of the link; one for a lost password is for its receiver only. */
export type AccountLinkKind = 'invitation' | 'password_reset';

const LIFE_MS: Readonly<Record<AccountLinkKind, number>> = {
  invitation: INVITATION_DAYS * 24 * 60 * MINUTE_MS,
  password_reset: RESET_MINUTES * MINUTE_MS,
};

export interface NewAccountLink {
  /** Of the row: what one mail is about. */
  id: number;
  url: string;
  expiresAt: Date;
}

/** A link that may be used now, and whose. */
export interface OpenAccountLink extends Record<string, unknown> {
  id: number;
  kind: AccountLinkKind;
  client_id: number;
  user_id: number;
  email: string;
}

const END = statement(`
  update account_links set ended_at = $3
  where client_id = $1 and user_id = $2 and ended_at is null and ($4::text is null or kind = $4)`);
const INSERT = statement(`
  insert into account_links (client_id, user_id, kind, token_hash, expires_at) values ($1, $2, $3, $4, $5) returning id`);
const FIND = statement(`
  select l.id, l.kind, l.client_id, l.user_id, u.email
  from account_links l join users u on u.id = l.user_id and u.client_id = l.client_id
  where l.token_hash = $1 and l.ended_at is null and l.expires_at > $2 and u.is_active`);

/** A new link, which ends the former of its kind. Only its digest is kept: the address is known here and nowhere else. */
export async function makeAccountLink(
  tx: Transaction,
  user: { clientId: number; userId: number },
  kind: AccountLinkKind,
  { publicUrl, now }: { publicUrl: string; now: number },
): Promise<NewAccountLink> {
  endAccountLinks(tx, user, { kind, now });
  const token = createToken(TOKEN_PREFIX);
  const expiresAt = new Date(now + LIFE_MS[kind]);
  const values = [user.clientId, user.userId, kind, sha256(token), expiresAt];
  const [row] = await tx.query<{ id: number }>(INSERT, values);
  if (row === undefined) throw new Error('insert into account_links returned no row');
  return { id: row.id, url: `${publicUrl}${ACCOUNT_LINK_PATH}?token=${token}`, expiresAt };
}

/** Ends what links a user has, of one kind or of all. */
export function endAccountLinks(
  tx: Transaction,
  { clientId, userId }: { clientId: number; userId: number },
  { kind = null, now }: { kind?: AccountLinkKind | null; now: number },
): void {
  tx.write(END, [clientId, userId, new Date(now), kind]);
}

/** The link of a token; undefined for one that never was, was used, was replaced, has expired, or whose user is inactive. */
export async function findAccountLink(
  system: SystemDatabase,
  token: string,
  now: number,
): Promise<OpenAccountLink | undefined> {
  if (!isWellFormedToken(token, TOKEN_PREFIX)) return undefined;
  const [row] = await system.query<OpenAccountLink>(FIND, [sha256(token), new Date(now)]);
  return row;
}
