import type { Broadcast } from '../../platform/db/broadcast.ts';
import type { GrantType, OAuthApplication } from './application.ts';
import { OAUTH_CHANGED } from './changed.ts';
import type { OAuthChange } from './changed.ts';
import { clientCredentialsGrant } from './client-credentials-grant.ts';
import { exchangeCode } from './code-grant.ts';
import type { Exchange } from './code-grant.ts';
import type { GrantDeps, TokenAnswer } from './issue-tokens.ts';
import { OAuthError } from './oauth-error.ts';
import { refreshGrant } from './refresh-grant.ts';

/** The value of a parameter of the request; undefined for one that is absent or empty. */
export type ParameterOf = (name: string) => string | undefined;

const GRANTS: Readonly<
  Record<GrantType, (deps: GrantDeps, application: OAuthApplication, parameter: ParameterOf) => Promise<Exchange>>
> = {
  authorization_code: (deps, application, parameter) =>
    exchangeCode(deps, application, {
      code: required(parameter, 'code'),
      redirectUri: required(parameter, 'redirect_uri'),
      codeVerifier: required(parameter, 'code_verifier'),
    }),
  refresh_token: (deps, application, parameter) =>
    refreshGrant(deps, application, {
      refreshToken: required(parameter, 'refresh_token'),
      scope: parameter('scope'),
    }),
  client_credentials: async (deps, application, parameter) => ({
    answer: await clientCredentialsGrant(deps, application, parameter('scope')),
  }),
};

/** The work of the token endpoint, once the application has proved who it is. */
export async function grantTokens(
  deps: GrantDeps & { broadcast: Pick<Broadcast, 'publish'> },
  application: OAuthApplication,
  parameter: ParameterOf,
): Promise<TokenAnswer> {
  const grantType = required(parameter, 'grant_type');
  if (!isGrantType(grantType)) {
    throw new OAuthError('unsupported_grant_type', `grant_type must be one of ${Object.keys(GRANTS).join(', ')}.`);
  }
  if (!application.grantTypes.includes(grantType)) {
    throw new OAuthError('unauthorized_client', `The application may not use the grant ${grantType}.`);
  }
  const result = await GRANTS[grantType](deps, application, parameter);
  if ('answer' in result) return result.answer;
  if (result.revokedChain !== undefined) {
    const change: OAuthChange = `chain:${result.revokedChain}`;
    await deps.broadcast.publish(OAUTH_CHANGED, change);
  }
  throw new OAuthError('invalid_grant', result.refused);
}

function isGrantType(name: string): name is GrantType {
  return Object.hasOwn(GRANTS, name);
}

function required(parameter: ParameterOf, name: string): string {
  const value = parameter(name);
  if (value === undefined) throw new OAuthError('invalid_request', `${name} is missing.`);
  return value;
}
