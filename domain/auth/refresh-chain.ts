import type { Role } from '../contracts/caller.ts';
import { createToken, isWellFormedToken, sha256 } from '../../platform/crypto.ts';
import type { Transaction } from '../../platform/db/transaction.ts';
import { statement } from '../../platform/db/statement.ts';

const REFRESH_TOKEN_PREFIX = 'svc_rt_';
const REFRESH_TOKEN_MS = 30 * 86_400_000;

/** A refresh token that may be used now, with what its user may do today. Its row is locked. */
export interface LiveRefreshToken extends Record<string, unknown> {
  id: number;
  client_id: number;
  user_id: number;
  family_id: string;
  /** What was granted to the OAuth application; null for a first-party session. */
  scopes: string[] | null;
  /** When the user last gave the password for this chain. */
  authenticated_at: Date;
  role: Role;
}

interface RefreshRow extends LiveRefreshToken {
  application_id: number | null;
  expires_at: Date;
  used_at: Date | null;
  revoked_at: Date | null;
  user_may_go_on: boolean;
}

export type Presented =
  | { verdict: 'live'; token: LiveRefreshToken }
  /** Used before: the chain is revoked, and the transaction has to commit before the refusal. */
  | { verdict: 'reused'; chainId: string }
  | { verdict: 'refused' };

// Whoever works on a chain holds its lock: a link that is being added can't escape a revocation at the same moment.
const LOCK_CHAIN_OF = statement(`
  select pg_advisory_xact_lock(hashtextextended(family_id::text, 1)) from refresh_tokens where token_hash = $1`);
const LOCK_CHAIN = statement(`select pg_advisory_xact_lock(hashtextextended($1::text, 1))`);
const LOCK_TOKEN = statement(`
  select r.id, r.client_id, r.user_id, r.family_id, r.application_id, r.scopes, r.expires_at, r.used_at, r.revoked_at,
    coalesce(r.authenticated_at, r.created_at) as authenticated_at, u.role,
    coalesce(u.is_active and (u.password_changed_at is null
      or coalesce(r.authenticated_at, r.created_at) >= u.password_changed_at), false) as user_may_go_on
  from refresh_tokens r left join users u on u.id = r.user_id and u.client_id = r.client_id
  where r.token_hash = $1 for update of r`);
const INSERT = statement(`
  insert into refresh_tokens (client_id, user_id, family_id, token_hash, expires_at, application_id, scopes, authenticated_at)
  values ($1, $2, $3, $4, $5, $6, $7, $8)`);
const MARK_USED = statement(`update refresh_tokens set used_at = $2 where id = $1`);
const REVOKE_REFRESH = statement(
  `update refresh_tokens set revoked_at = $2 where family_id = $1 and revoked_at is null`,
);
const REVOKE_ACCESS = statement(
  `update oauth_access_tokens set revoked_at = $2 where chain_id = $1 and revoked_at is null`,
);

/**
 * Looks at a refresh token that somebody presents, and holds it until the commit. One used before revokes its whole
 * chain (spec, "States and transitions"; RFC 9700 §4.14). One that was issued to somebody else is refused and stays as
 * it is: whoever has got hold of it must not be able to end the other's session. `applicationId` null: first-party.
 */
export async function presentRefreshToken(
  tx: Transaction,
  { token, applicationId, now }: { token: string; applicationId: number | null; now: number },
): Promise<Presented> {
  const row = await lockRefreshToken(tx, token);
  if (row === undefined || row.application_id !== applicationId || row.revoked_at !== null) {
    return { verdict: 'refused' };
  }
  if (row.used_at !== null) {
    revokeChain(tx, row.family_id, now);
    return { verdict: 'reused', chainId: row.family_id };
  }
  if (row.expires_at.getTime() <= now || !row.user_may_go_on) return { verdict: 'refused' };
  return { verdict: 'live', token: row };
}

/** The row of a refresh token, whatever its state, locked with its chain; undefined for one that never was. */
export async function lockRefreshToken(tx: Transaction, token: string): Promise<RefreshRow | undefined> {
  if (!isRefreshToken(token)) return undefined;
  const hash = sha256(token);
  tx.write(LOCK_CHAIN_OF, [hash]);
  const [row] = await tx.query<RefreshRow>(LOCK_TOKEN, [hash]);
  return row;
}

export function isRefreshToken(token: string): boolean {
  return isWellFormedToken(token, REFRESH_TOKEN_PREFIX);
}

export interface ChainLink {
  clientId: number;
  userId: number;
  chainId: string;
  applicationId: number | null;
  scopes: readonly string[] | null;
  authenticatedAt: Date;
}

/** Adds a link to a chain: a new refresh token, for 30 days. */
export function addRefreshToken(tx: Transaction, link: ChainLink, now: number): string {
  const token = createToken(REFRESH_TOKEN_PREFIX);
  const { clientId, userId, chainId, applicationId, scopes, authenticatedAt } = link;
  const expiresAt = new Date(now + REFRESH_TOKEN_MS);
  tx.write(INSERT, [clientId, userId, chainId, sha256(token), expiresAt, applicationId, scopes, authenticatedAt]);
  return token;
}

/** A refresh token works once. */
export function markUsed(tx: Transaction, { id }: Pick<LiveRefreshToken, 'id'>, now: number): void {
  tx.write(MARK_USED, [id, new Date(now)]);
}

/** Holds a chain until the commit, against whoever else works on it. */
export function lockChain(tx: Transaction, chainId: string): void {
  tx.write(LOCK_CHAIN, [chainId]);
}

/** Ends everything that was issued on a chain, access tokens included. */
export function revokeChain(tx: Transaction, chainId: string, now: number): void {
  lockChain(tx, chainId);
  tx.write(REVOKE_REFRESH, [chainId, new Date(now)]);
  tx.write(REVOKE_ACCESS, [chainId, new Date(now)]);
}
