import { addRefreshToken, lockChain, revokeChain } from '../auth/index.ts';
import type { Role } from '../contracts/caller.ts';
import { isWellFormedToken, secretsEqual, sha256 } from '../../platform/crypto.ts';
import { statement } from '../../platform/db/statement.ts';
import type { Transaction } from '../../platform/db/transaction.ts';
import type { OAuthApplication } from './application.ts';
import { CODE_PREFIX } from './codes.ts';
import { makeAccessToken, makeIdToken, tokenAnswer } from './issue-tokens.ts';
import type { GrantDeps, TokenAnswer } from './issue-tokens.ts';
import { OAuthError } from './oauth-error.ts';
import { effectiveScopes } from './scope.rules.ts';

export interface CodeExchange {
  code: string;
  redirectUri: string;
  codeVerifier: string;
}

interface CodeRow extends Record<string, unknown> {
  client_id: number;
  application_id: number;
  user_id: number;
  chain_id: string;
  redirect_uri: string;
  scopes: string[];
  code_challenge: string;
  nonce: string | null;
  authenticated_at: Date;
  expires_at: Date;
  used_at: Date | null;
  role: Role;
  user_may_go_on: boolean;
}

const LOCK_CODE = statement(`
  select k.client_id, k.application_id, k.user_id, k.chain_id, k.redirect_uri, k.scopes, k.code_challenge, k.nonce,
    k.authenticated_at, k.expires_at, k.used_at, u.role,
    coalesce(u.is_active and (u.password_changed_at is null or k.authenticated_at >= u.password_changed_at), false)
      as user_may_go_on
  from oauth_codes k left join users u on u.id = k.user_id and u.client_id = k.client_id
  where k.code_hash = $1 for update of k`);
const MARK_USED = statement(`update oauth_codes set used_at = $2 where code_hash = $1`);

const CODE_VERIFIER = /^[A-Za-z0-9._~-]{43,128}$/;

export type Exchange = { answer: TokenAnswer } | { refused: string; revokedChain?: string };

/**
 * Swaps an authorization code for tokens. The code's row is locked: of many who come with the same code at the same
 * time one has its tokens, and the next one's coming ends them again (RFC 6749 §4.1.2, §10.5).
 */
export async function exchangeCode(
  deps: GrantDeps,
  application: OAuthApplication,
  exchange: CodeExchange,
): Promise<Exchange> {
  if (!CODE_VERIFIER.test(exchange.codeVerifier)) {
    throw new OAuthError('invalid_request', 'code_verifier must be 43 to 128 characters of A-Z a-z 0-9 - . _ ~');
  }
  if (!isWellFormedToken(exchange.code, CODE_PREFIX)) return { refused: INVALID_CODE };
  return deps.system.transaction(async (tx) => {
    const hash = sha256(exchange.code);
    const [row] = await tx.query<CodeRow>(LOCK_CODE, [hash]);
    // Another application's code stays as it is: nobody can use up what was not issued to it.
    if (row === undefined || row.application_id !== application.id) return { refused: INVALID_CODE };
    if (row.used_at !== null) {
      revokeChain(tx, row.chain_id, deps.now);
      return {
        refused: 'The authorization code was used before; what it had issued is revoked.',
        revokedChain: row.chain_id,
      };
    }
    const refused = whyRefused(row, exchange, deps.now);
    if (refused !== undefined) return { refused };
    tx.write(MARK_USED, [hash, new Date(deps.now)]);
    return { answer: await issue(tx, deps, application, row) };
  });
}

const INVALID_CODE = 'The authorization code is not valid.';

function whyRefused(row: CodeRow, exchange: CodeExchange, now: number): string | undefined {
  if (row.expires_at.getTime() <= now) return 'The authorization code has expired.';
  if (row.redirect_uri !== exchange.redirectUri) return 'redirect_uri is not that of the authorization request.';
  const challenge = sha256(exchange.codeVerifier).toString('base64url');
  if (!secretsEqual(challenge, row.code_challenge)) return 'code_verifier does not match the code_challenge.';
  if (!row.user_may_go_on) return 'The user who approved is no longer active or has changed the password.';
  return undefined;
}

async function issue(
  tx: Transaction,
  deps: GrantDeps,
  application: OAuthApplication,
  row: CodeRow,
): Promise<TokenAnswer> {
  lockChain(tx, row.chain_id);
  const grant = {
    application,
    userId: row.user_id,
    chainId: row.chain_id,
    scopes: effectiveScopes(row.scopes, application.scopes, row.role),
    authenticatedAt: row.authenticated_at,
  };
  const { accessToken, insert } = await makeAccessToken(deps, grant);
  tx.write(...insert);
  const link = { ...grant, clientId: application.clientId, applicationId: application.id, scopes: row.scopes };
  const refreshToken = application.grantTypes.includes('refresh_token')
    ? addRefreshToken(tx, link, deps.now)
    : undefined;
  const idToken = grant.scopes.includes('openid')
    ? await makeIdToken(deps, grant, { nonce: row.nonce, accessToken })
    : undefined;
  return tokenAnswer(accessToken, grant.scopes, { refreshToken, idToken });
}
