import { randomBytes } from 'node:crypto';
import type { Role } from '../contracts/caller.ts';
import { sha256 } from '../../platform/crypto.ts';
import type { SystemDatabase } from '../../platform/db/database.ts';
import { statement } from '../../platform/db/statement.ts';
import type { Transaction } from '../../platform/db/transaction.ts';

const HOUR_MS = 3_600_000;
/** From sign-in, however busy the session is; and without a request. */
export const SESSION_SECONDS = 12 * 3600;
const IDLE_MS = 2 * HOUR_MS;
/** A session in use writes its row no more often than this. */
const TOUCH_MS = 60_000;

export interface BrowserSession {
  /** Digest of the id: what other rows are bound to. */
  hash: Buffer;
  csrfToken: string;
  /** Epoch ms of the sign-in. */
  authenticatedAt: number;
  user: SessionUser;
}

export interface SessionUser {
  id: number;
  clientId: number;
  email: string;
  name: string;
  role: Role;
}

interface SessionRow extends Record<string, unknown> {
  csrf_token: string;
  authenticated_at: Date;
  last_seen_at: Date;
  user_id: number;
  client_id: number;
  email: string;
  name: string;
  role: Role;
}

const INSERT = statement(`
  insert into browser_sessions
    (id_hash, client_id, user_id, csrf_token, authenticated_at, last_seen_at, expires_at, address, user_agent)
  values ($1, $2, $3, $4, $5, $5, $6, $7, $8)`);
const FIND = statement(`
  select s.csrf_token, s.authenticated_at, s.last_seen_at, u.id as user_id, u.client_id, u.email, u.name, u.role
  from browser_sessions s join users u on u.id = s.user_id and u.client_id = s.client_id
  where s.id_hash = $1 and s.expires_at > $2 and s.last_seen_at > $3 and u.is_active
    and (u.password_changed_at is null or s.authenticated_at >= u.password_changed_at)`);
const TOUCH = statement(`update browser_sessions set last_seen_at = $2 where id_hash = $1 and last_seen_at < $2`);
const REMOVE = statement(`delete from browser_sessions where id_hash = $1`);
const REMOVE_ALL = statement(`delete from browser_sessions where user_id = $1`);

/**
 * Begins a session under a new id, whatever the browser sent before (RFC 6265 §8.4: no fixation). Answers the id for its
 * cookie; only the digest is kept.
 */
export async function startBrowserSession(
  system: SystemDatabase,
  user: { id: number; client_id: number },
  from: { address: string | null; userAgent: string | null },
  now: number,
): Promise<{ id: string; hash: Buffer }> {
  const id = randomBytes(32).toString('base64url');
  const hash = sha256(id);
  const expiresAt = new Date(now + SESSION_SECONDS * 1000);
  await system.query(INSERT, [
    hash,
    user.client_id,
    user.id,
    randomBytes(32).toString('base64url'),
    new Date(now),
    expiresAt,
    from.address,
    from.userAgent?.slice(0, 300) ?? null,
  ]);
  return { id, hash };
}

/** The session of a cookie: neither over nor idle for two hours, its user active and with the password it signed in by. */
export async function findBrowserSession(
  system: SystemDatabase,
  id: string,
  now: number,
): Promise<BrowserSession | undefined> {
  const hash = sha256(id);
  const [row] = await system.query<SessionRow>(FIND, [hash, new Date(now), new Date(now - IDLE_MS)]);
  if (row === undefined) return undefined;
  if (now - row.last_seen_at.getTime() >= TOUCH_MS) await system.query(TOUCH, [hash, new Date(now)]);
  return {
    hash,
    csrfToken: row.csrf_token,
    authenticatedAt: row.authenticated_at.getTime(),
    user: {
      id: row.user_id,
      clientId: row.client_id,
      email: row.email,
      name: row.name,
      role: row.role,
    },
  };
}

/** Ends every session of a user. */
export function endBrowserSessions(tx: Transaction, userId: number): void {
  tx.write(REMOVE_ALL, [userId]);
}

/** Ends a session; one that is unknown or over is no error. */
export async function endBrowserSession(system: SystemDatabase, id: string): Promise<void> {
  await system.query(REMOVE, [sha256(id)]);
}
