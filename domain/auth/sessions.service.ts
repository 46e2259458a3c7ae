import { randomUUID } from 'node:crypto';
import type { TokenSet, UserView } from '../contracts/auth.ts';
import { ApiError } from '../contracts/errors.ts';
import type { SystemDatabase } from '../../platform/db/database.ts';
import type { Transaction } from '../../platform/db/transaction.ts';
import { statement } from '../../platform/db/statement.ts';
import type { JwtSigner } from '../../platform/jwt.ts';
import { verifyPassword } from '../../platform/password.ts';
import { ACCESS_TOKEN_SECONDS, issueAccessToken } from './access-token.ts';
import { addressSubject, countTry, forgetFailures, loginSubject, MAX_LOGIN_FAILURES } from './failures.ts';
import { addRefreshToken, lockRefreshToken, markUsed, presentRefreshToken, revokeChain } from './refresh-chain.ts';

export interface SessionDeps {
  system: SystemDatabase;
  jwt: JwtSigner;
  now: number;
}

const USER_COLUMNS = `id, client_id, email, name, given_name, family_name, picture, email_verified, role, is_active`;
const FIND_LOGIN = statement(`select ${USER_COLUMNS}, password_hash from users where lower(email) = lower($1)`);
const FIND_USER = statement(`select ${USER_COLUMNS} from users where id = $1 and client_id = $2 and is_active`);
type UserRow = UserView & Record<string, unknown>;

/** Signs a user in. */
export async function login(deps: SessionDeps, input: LoginInput): Promise<TokenSet> {
  const user = await checkLogin(deps.system, input);
  return deps.system.transaction((tx) => beginSession(tx, deps, user));
}

export interface LoginInput {
  email: string;
  password: string;
  address: string | null;
}

/**
 * The active user of this e-mail address and password, else UNAUTHORIZED. Unknown e-mail and wrong password take the same
 * time and read the same; failures are counted for all ways of signing in together (decisions §1).
 */
export async function checkLogin(system: SystemDatabase, input: LoginInput): Promise<UserView> {
  const account = loginSubject(input.email);
  const subjects = input.address === null ? [account] : [account, addressSubject(input.address)];
  const counted = await countTry(system, subjects, MAX_LOGIN_FAILURES);
  const [found] = await system.query<UserRow & { password_hash: string | null }>(FIND_LOGIN, [input.email]);
  const matches = await verifyPassword(input.password, found?.password_hash ?? undefined);
  if (found === undefined || !matches || !found.is_active) {
    throw new ApiError('UNAUTHORIZED', 'The e-mail address or the password is wrong.');
  }
  await forgetFailures(system, account, counted);
  const { password_hash: _, ...user } = found;
  return user;
}

/** Swaps a refresh token for a new set. One used before revokes its whole chain (spec, "States and transitions"). */
export async function refresh(deps: SessionDeps, token: string): Promise<TokenSet> {
  const issued = await deps.system.transaction(async (tx) => {
    const presented = await presentRefreshToken(tx, { token, applicationId: null, now: deps.now });
    // Returned, not thrown: the revocation has to be committed before the refusal (decisions §3).
    if (presented.verdict !== 'live') return undefined;
    const { client_id, user_id, family_id, authenticated_at } = presented.token;
    const [user] = await tx.query<UserRow>(FIND_USER, [user_id, client_id]);
    if (user === undefined) return undefined;
    markUsed(tx, presented.token, deps.now);
    return issueTokens(tx, deps, user, { chainId: family_id, authenticatedAt: authenticated_at });
  });
  if (issued === undefined) throw new ApiError('UNAUTHORIZED', 'The refresh token is not valid; sign in again.');
  return issued;
}

/** Ends the session of a refresh token; a token that is unknown or over ends nothing and is no error. */
export async function logout(deps: SessionDeps, userId: number, token: string): Promise<void> {
  await deps.system.transaction(async (tx) => {
    const row = await lockRefreshToken(tx, token);
    if (row?.user_id === userId && row.application_id === null) revokeChain(tx, row.family_id, deps.now);
  });
}

export async function currentUser(deps: SessionDeps, clientId: number, userId: number): Promise<UserView> {
  const [user] = await deps.system.query<UserRow>(FIND_USER, [userId, clientId]);
  if (user === undefined) throw new ApiError('UNAUTHORIZED', 'The user of this token is no longer active.');
  return user;
}

/** The first tokens of a chain: the password was given just now. */
export function beginSession(tx: Transaction, deps: SessionDeps, user: UserView): Promise<TokenSet> {
  return issueTokens(tx, deps, user, { chainId: randomUUID(), authenticatedAt: new Date(deps.now) });
}

async function issueTokens(
  tx: Transaction,
  deps: SessionDeps,
  user: UserView,
  chain: { chainId: string; authenticatedAt: Date },
): Promise<TokenSet> {
  const { id: userId, client_id: clientId } = user;
  const refreshToken = addRefreshToken(tx, { clientId, userId, ...chain, applicationId: null, scopes: null }, deps.now);
  return {
    access_token: await issueAccessToken(deps.jwt, { userId, clientId }, deps.now),
    token_type: 'Bearer',
    expires_in: ACCESS_TOKEN_SECONDS,
    refresh_token: refreshToken,
    user,
  };
}
