import { isRefreshToken, lockRefreshToken, revokeChain } from '../auth/index.ts';
import type { Broadcast } from '../../platform/db/broadcast.ts';
import { statement } from '../../platform/db/statement.ts';
import { ExpiredTokenError, InvalidTokenError } from '../../platform/jwt.ts';
import { OAUTH_CHANGED } from './changed.ts';
import type { OAuthChange } from './changed.ts';
import { accessTokenKind } from './issue-tokens.ts';
import type { GrantDeps } from './issue-tokens.ts';

const REVOKE_ONE = statement(`
  update oauth_access_tokens set revoked_at = $2 where jti = $1 and revoked_at is null returning jti`);

/**
 * Ends a token (RFC 7009): a refresh token with all of its chain, an access token alone. Whoever holds a token may end
 * it. A token that is none of ours, or over already, is no error. Resolves when every process knows.
 */
export async function revokeToken(
  deps: GrantDeps & { broadcast: Pick<Broadcast, 'publish'> },
  token: string,
): Promise<void> {
  const change = isRefreshToken(token) ? await revokeRefreshToken(deps, token) : await revokeAccessToken(deps, token);
  if (change !== undefined) await deps.broadcast.publish(OAUTH_CHANGED, change);
}

function revokeRefreshToken({ system, now }: GrantDeps, token: string): Promise<OAuthChange | undefined> {
  return system.transaction(async (tx) => {
    const row = await lockRefreshToken(tx, token);
    // A first-party session ends at its own logout.
    if (row === undefined || row.application_id === null || row.revoked_at !== null) return undefined;
    revokeChain(tx, row.family_id, now);
    return `chain:${row.family_id}` as const;
  });
}

async function revokeAccessToken(deps: GrantDeps, token: string): Promise<OAuthChange | undefined> {
  const jti = await jtiOf(deps, token);
  if (jti === undefined) return undefined;
  const [row] = await deps.system.query<{ jti: string }>(REVOKE_ONE, [jti, new Date(deps.now)]);
  return row === undefined ? undefined : `jti:${row.jti}`;
}

/** Of a valid token only: an expired one needs no revocation. */
async function jtiOf({ jwt, issuer, now }: GrantDeps, token: string): Promise<string | undefined> {
  try {
    return (await jwt.verify(accessTokenKind(issuer), token, now)).jti;
  } catch (error) {
    if (error instanceof InvalidTokenError || error instanceof ExpiredTokenError) return undefined;
    throw error;
  }
}
