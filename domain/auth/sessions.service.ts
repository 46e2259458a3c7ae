import { randomUUID } from 'node:crypto';
import type { TokenSet, UserView } from '../contracts/auth.ts';
import { ApiError } from '../contracts/errors.ts';
import { createToken, isWellFormedToken, sha256 } from '../../platform/crypto.ts';
import type { SystemDatabase } from '../../platform/db/database.ts';
import type { Transaction } from '../../platform/db/transaction.ts';
import { statement } from '../../platform/db/statement.ts';
import type { JwtSigner } from '../../platform/jwt.ts';
import { verifyPassword } from '../../platform/password.ts';
import { ACCESS_TOKEN_SECONDS, issueAccessToken } from './access-token.ts';
import { countTry, forgetFailures } from './failures.ts';

const REFRESH_TOKEN_PREFIX = 'svc_rt_';
const REFRESH_TOKEN_MS = 30 * 86_400_000;
const MAX_LOGIN_FAILURES = 10;

export interface SessionDeps {
  system: SystemDatabase;
  jwt: JwtSigner;
  now: number;
}

const USER_COLUMNS = `id, client_id, email, name, given_name, family_name, picture, email_verified, role, is_active`;
const FIND_LOGIN = statement(`select ${USER_COLUMNS}, password_hash from users where lower(email) = lower($1)`);
const FIND_USER = statement(`select ${USER_COLUMNS} from users where id = $1 and client_id = $2 and is_active`);
const INSERT_REFRESH = statement(`
  insert into refresh_tokens (client_id, user_id, family_id, token_hash, expires_at) values ($1, $2, $3, $4, $5)`);
const LOCK_REFRESH = statement(`
  select id, client_id, user_id, family_id, expires_at, used_at, revoked_at from refresh_tokens where token_hash = $1 for update`);
const MARK_USED = statement(`update refresh_tokens set used_at = $2 where id = $1`);
const REVOKE_FAMILY = statement(
  `update refresh_tokens set revoked_at = $2 where family_id = $1 and revoked_at is null`,
);

interface RefreshRow extends Record<string, unknown> {
  id: number;
  client_id: number;
  user_id: number;
  family_id: string;
  expires_at: Date;
  used_at: Date | null;
  revoked_at: Date | null;
}

type UserRow = UserView & Record<string, unknown>;

/** Signs a user in. Unknown e-mail and wrong password take the same time and read the same (decisions §1). */
export async function login(
  deps: SessionDeps,
  input: { email: string; password: string; address: string | null },
): Promise<TokenSet> {
  const account = `login:${input.email.toLowerCase()}`;
  const subjects = input.address === null ? [account] : [account, `login-address:${input.address}`];
  const counted = await countTry(deps.system, subjects, MAX_LOGIN_FAILURES);
  const [found] = await deps.system.query<UserRow & { password_hash: string }>(FIND_LOGIN, [input.email]);
  const matches = await verifyPassword(input.password, found?.password_hash);
  if (found === undefined || !matches || !found.is_active) {
    throw new ApiError('UNAUTHORIZED', 'The e-mail address or the password is wrong.');
  }
  await forgetFailures(deps.system, account, counted);
  const { password_hash: _, ...user } = found;
  return deps.system.transaction((tx) => issueTokens(tx, deps, user, randomUUID()));
}

/** Swaps a refresh token for a new set. One used before revokes its whole chain (spec, "States and transitions"). */
export async function refresh(deps: SessionDeps, token: string): Promise<TokenSet> {
  const invalid = new ApiError('UNAUTHORIZED', 'The refresh token is not valid; sign in again.');
  if (!isWellFormedToken(token, REFRESH_TOKEN_PREFIX)) throw invalid;
  const issued = await deps.system.transaction(async (tx) => {
    const [row] = await tx.query<RefreshRow>(LOCK_REFRESH, [sha256(token)]);
    if (row === undefined || row.revoked_at !== null || row.expires_at.getTime() <= deps.now) return undefined;
    if (row.used_at !== null) {
      // Returned, not thrown: the revocation has to be committed before the refusal (decisions §3).
      await tx.query(REVOKE_FAMILY, [row.family_id, new Date(deps.now)]);
      return undefined;
    }
    const [user] = await tx.query<UserRow>(FIND_USER, [row.user_id, row.client_id]);
    if (user === undefined) return undefined;
    await tx.query(MARK_USED, [row.id, new Date(deps.now)]);
    return issueTokens(tx, deps, user, row.family_id);
  });
  if (issued === undefined) throw invalid;
  return issued;
}

/** Ends the session of a refresh token; a token that is unknown or over ends nothing and is no error. */
export async function logout(deps: SessionDeps, userId: number, token: string): Promise<void> {
  await deps.system.transaction(async (tx) => {
    const [row] = await tx.query<RefreshRow>(LOCK_REFRESH, [sha256(token)]);
    if (row?.user_id === userId) await tx.query(REVOKE_FAMILY, [row.family_id, new Date(deps.now)]);
  });
}

export async function currentUser(deps: SessionDeps, clientId: number, userId: number): Promise<UserView> {
  const [user] = await deps.system.query<UserRow>(FIND_USER, [userId, clientId]);
  if (user === undefined) throw new ApiError('UNAUTHORIZED', 'The user of this token is no longer active.');
  return user;
}

async function issueTokens(tx: Transaction, deps: SessionDeps, user: UserView, familyId: string): Promise<TokenSet> {
  const refreshToken = createToken(REFRESH_TOKEN_PREFIX);
  const expiresAt = new Date(deps.now + REFRESH_TOKEN_MS);
  await tx.query(INSERT_REFRESH, [user.client_id, user.id, familyId, sha256(refreshToken), expiresAt]);
  return {
    access_token: await issueAccessToken(deps.jwt, { userId: user.id, clientId: user.client_id }, deps.now),
    token_type: 'Bearer',
    expires_in: ACCESS_TOKEN_SECONDS,
    refresh_token: refreshToken,
    user,
  };
}
