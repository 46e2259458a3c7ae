import { addRefreshToken, markUsed, presentRefreshToken } from '../auth/index.ts';
import type { OAuthApplication } from './application.ts';
import type { Exchange } from './code-grant.ts';
import { makeAccessToken, tokenAnswer } from './issue-tokens.ts';
import type { GrantDeps } from './issue-tokens.ts';
import { OAuthError } from './oauth-error.ts';
import { effectiveScopes, parseScopes } from './scope.rules.ts';

/**
 * Swaps a refresh token for a new pair. `scope` may narrow what the access token opens; the new refresh token keeps all
 * that was granted (RFC 6749 §6). A token used before ends its whole chain (RFC 9700 §4.14.2).
 */
export async function refreshGrant(
  deps: GrantDeps,
  application: OAuthApplication,
  { refreshToken, scope }: { refreshToken: string; scope: string | undefined },
): Promise<Exchange> {
  const { system, now } = deps;
  return system.transaction(async (tx) => {
    const presented = await presentRefreshToken(tx, { token: refreshToken, applicationId: application.id, now });
    if (presented.verdict === 'reused') {
      return { refused: 'The refresh token was used before; its chain is revoked.', revokedChain: presented.chainId };
    }
    if (presented.verdict === 'refused') return { refused: 'The refresh token is not valid.' };
    const { token } = presented;
    const granted = token.scopes ?? [];
    const scopes = effectiveScopes(narrowed(granted, scope), application.scopes, token.role);
    markUsed(tx, token, now);
    const grant = {
      application,
      userId: token.user_id,
      chainId: token.family_id,
      scopes,
      authenticatedAt: token.authenticated_at,
    };
    const link = { ...grant, clientId: application.clientId, applicationId: application.id, scopes: granted };
    const next = addRefreshToken(tx, link, now);
    const { accessToken, insert } = await makeAccessToken(deps, grant);
    tx.write(...insert);
    return { answer: tokenAnswer(accessToken, scopes, { refreshToken: next }) };
  });
}

function narrowed(granted: readonly string[], scope: string | undefined): readonly string[] {
  if (scope === undefined) return granted;
  const wanted = parseScopes(scope);
  if (wanted === undefined) throw new OAuthError('invalid_scope', 'scope is not a list of scopes separated by spaces.');
  const beyond = wanted.find((one) => !granted.includes(one));
  if (beyond !== undefined) throw new OAuthError('invalid_scope', `The scope ${beyond} was not granted.`);
  return wanted;
}
