import { randomUUID } from 'node:crypto';
import type { OAuthApplication } from './application.ts';
import { makeAccessToken, tokenAnswer } from './issue-tokens.ts';
import type { GrantDeps, TokenAnswer } from './issue-tokens.ts';
import { OAuthError } from './oauth-error.ts';
import { isIdentityScope, parseScopes } from './scope.rules.ts';

/** A token for the application itself: no user stands behind it, so none of the identity scopes, and no refresh token. */
export async function clientCredentialsGrant(
  deps: GrantDeps,
  application: OAuthApplication,
  scope: string | undefined,
): Promise<TokenAnswer> {
  const scopes = wantedScopes(application, scope);
  const { accessToken, insert } = await makeAccessToken(deps, {
    application,
    userId: null,
    chainId: randomUUID(),
    scopes,
    authenticatedAt: null,
  });
  await deps.system.query(...insert);
  return tokenAnswer(accessToken, scopes);
}

/** Without `scope` (it is optional here): the default scopes of the application, or else all that it has. */
function wantedScopes(application: OAuthApplication, scope: string | undefined): string[] {
  const own = application.scopes.filter((one) => !isIdentityScope(one));
  if (scope === undefined) {
    const defaults = application.defaultScopes.filter((one) => own.includes(one));
    return defaults.length > 0 ? defaults : own;
  }
  const wanted = parseScopes(scope);
  if (wanted === undefined) throw new OAuthError('invalid_scope', 'scope is not a list of scopes separated by spaces.');
  const beyond = wanted.find((one) => !own.includes(one));
  if (beyond !== undefined) throw new OAuthError('invalid_scope', `The application may not have the scope ${beyond}.`);
  return wanted;
}
