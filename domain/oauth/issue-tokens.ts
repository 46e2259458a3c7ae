import { randomUUID } from 'node:crypto';
import type { SystemDatabase } from '../../platform/db/database.ts';
import { statement } from '../../platform/db/statement.ts';
import type { Statement } from '../../platform/db/statement.ts';
import { sha256 } from '../../platform/crypto.ts';
import type { JwtSigner, TokenKind } from '../../platform/jwt.ts';
import type { OAuthApplication } from './application.ts';

export const OAUTH_ACCESS_SECONDS = 900;

/** What a grant needs besides the request. */
export interface GrantDeps {
  system: SystemDatabase;
  jwt: JwtSigner;
  /** The public address of this API: issuer and audience of its tokens. */
  issuer: string;
  now: number;
}

/** A successful answer of the token endpoint (RFC 6749 §5.1; OpenID Connect Core §3.1.3.3). */
export interface TokenAnswer {
  access_token: string;
  token_type: 'Bearer';
  expires_in: number;
  scope: string;
  refresh_token?: string;
  id_token?: string;
}

/** OAuth access tokens (RFC 9068). Type and audience keep them apart from first-party tokens and from ID tokens. */
export function accessTokenKind(issuer: string): TokenKind {
  return { typ: 'at+jwt', issuer, audience: issuer };
}

export interface AccessGrant {
  application: OAuthApplication;
  /** Null: the application acts for itself. */
  userId: number | null;
  chainId: string;
  scopes: readonly string[];
  authenticatedAt: Date | null;
}

const INSERT = statement(`
  insert into oauth_access_tokens (jti, client_id, application_id, user_id, chain_id, scopes, authenticated_at, expires_at)
  values ($1, $2, $3, $4, $5, $6, $7, $8)`);

/** A new access token and the row that it needs: `insert` has to be committed before the token is handed out. */
export async function makeAccessToken(
  { jwt, issuer, now }: Pick<GrantDeps, 'jwt' | 'issuer' | 'now'>,
  grant: AccessGrant,
): Promise<{ accessToken: string; insert: readonly [Statement, unknown[]] }> {
  const { application, userId, chainId, scopes, authenticatedAt } = grant;
  const jti = randomUUID();
  const claims = {
    sub: userId === null ? application.oauthClientId : String(userId),
    client_id: application.oauthClientId,
    scope: scopes.join(' '),
    jti,
  };
  const accessToken = await jwt.sign(accessTokenKind(issuer), claims, OAUTH_ACCESS_SECONDS, now);
  // Whole seconds, as in the token: both end at the same moment.
  const expiresAt = new Date((Math.floor(now / 1000) + OAUTH_ACCESS_SECONDS) * 1000);
  const row = [jti, application.clientId, application.id, userId, chainId, scopes, authenticatedAt, expiresAt];
  return { accessToken, insert: [INSERT, row] };
}

/** Who has signed in, for the application itself (OpenID Connect Core §2). Its audience, the application, makes it no access token. */
export function makeIdToken(
  { jwt, issuer, now }: Pick<GrantDeps, 'jwt' | 'issuer' | 'now'>,
  grant: AccessGrant & { userId: number; authenticatedAt: Date },
  { nonce, accessToken }: { nonce: string | null; accessToken: string },
): Promise<string> {
  const claims = {
    sub: String(grant.userId),
    auth_time: Math.floor(grant.authenticatedAt.getTime() / 1000),
    at_hash: sha256(accessToken).subarray(0, 16).toString('base64url'),
    ...(nonce === null ? {} : { nonce }),
  };
  const kind = { typ: 'JWT', issuer, audience: grant.application.oauthClientId };
  return jwt.sign(kind, claims, OAUTH_ACCESS_SECONDS, now);
}

export function tokenAnswer(
  accessToken: string,
  scopes: readonly string[],
  more: { refreshToken?: string | undefined; idToken?: string | undefined } = {},
): TokenAnswer {
  return {
    access_token: accessToken,
    token_type: 'Bearer',
    expires_in: OAUTH_ACCESS_SECONDS,
    scope: scopes.join(' '),
    ...(more.refreshToken === undefined ? {} : { refresh_token: more.refreshToken }),
    ...(more.idToken === undefined ? {} : { id_token: more.idToken }),
  };
}
