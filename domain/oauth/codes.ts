import { randomUUID } from 'node:crypto';
import { createToken, sha256 } from '../../platform/crypto.ts';
import type { SystemDatabase } from '../../platform/db/database.ts';
import { statement } from '../../platform/db/statement.ts';
import type { OAuthApplication } from './application.ts';

export const CODE_PREFIX = 'svc_ac_';
const CODE_MS = 10 * 60_000;

/** What the user approved, and what the exchange will be held against. */
export interface CodeGrant {
  application: Pick<OAuthApplication, 'id' | 'clientId'>;
  userId: number;
  redirectUri: string;
  scopes: readonly string[];
  /** PKCE, method S256. */
  codeChallenge: string;
  nonce?: string | undefined;
  /** When the user last gave the password. */
  authenticatedAt: Date;
}

const INSERT = statement(`
  insert into oauth_codes (code_hash, client_id, application_id, user_id, chain_id, redirect_uri, scopes, code_challenge,
    nonce, authenticated_at, expires_at)
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`);

/** A new authorization code for an approved request; works once, for 10 minutes. */
export async function issueCode(system: Pick<SystemDatabase, 'query'>, grant: CodeGrant, now: number): Promise<string> {
  const code = createToken(CODE_PREFIX);
  const { application, userId, redirectUri, scopes, codeChallenge, nonce, authenticatedAt } = grant;
  await system.query(INSERT, [
    sha256(code),
    application.clientId,
    application.id,
    userId,
    randomUUID(),
    redirectUri,
    scopes,
    codeChallenge,
    nonce ?? null,
    authenticatedAt,
    new Date(now + CODE_MS),
  ]);
  return code;
}
