import { randomUUID } from 'node:crypto';
import { createToken, sha256 } from '../../platform/crypto.ts';
import type { SystemDatabase } from '../../platform/db/database.ts';
import { statement } from '../../platform/db/statement.ts';
import { noteDecision } from './decisions.ts';
import type { Decision } from './decisions.ts';

export const CODE_PREFIX = 'svc_ac_';
const CODE_MS = 10 * 60_000;

/** What the user approved, and what the exchange will be held against. */
export interface CodeGrant extends Decision {
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

/** A new authorization code for an approved request; works once, for 10 minutes. The approval is noted with it. */
export async function issueCode(
  system: Pick<SystemDatabase, 'transaction'>,
  grant: CodeGrant,
  now: number,
): Promise<string> {
  const code = createToken(CODE_PREFIX);
  const { application, userId, redirectUri, scopes, codeChallenge, nonce, authenticatedAt } = grant;
  const row = [
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
  ];
  await system.transaction((tx) => {
    tx.write(INSERT, row);
    noteDecision(tx, grant, 'approved');
    return Promise.resolve();
  });
  return code;
}
