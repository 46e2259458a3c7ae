import { IDENTITY_SCOPES } from '../../domain/oauth/index.ts';
import { KNOWN_SCOPES } from '../../domain/contracts/scopes.ts';

const PREFIX = '/api/v1/oauth';

/** Where the endpoints of the protocol are, relative to the public address. */
export const OAUTH_PATHS = {
  authorize: `${PREFIX}/authorize`,
  token: `${PREFIX}/token`,
  revoke: `${PREFIX}/revoke`,
  introspect: `${PREFIX}/introspect`,
  userinfo: `${PREFIX}/userinfo`,
  jwks: '/.well-known/jwks.json',
  serverMetadata: '/.well-known/oauth-authorization-server',
  openidConfiguration: '/.well-known/openid-configuration',
  resourceMetadata: '/.well-known/oauth-protected-resource',
} as const;

/** Every scope that a token may carry, identity first. */
export const OAUTH_SCOPES: readonly string[] = [...Object.keys(IDENTITY_SCOPES), ...KNOWN_SCOPES];

/** Authorization server metadata (RFC 8414), and what OpenID Connect Discovery adds to it: one document serves both. */
export function serverMetadata(publicUrl: string): Record<string, unknown> {
  return {
    issuer: publicUrl,
    authorization_endpoint: publicUrl + OAUTH_PATHS.authorize,
    token_endpoint: publicUrl + OAUTH_PATHS.token,
    revocation_endpoint: publicUrl + OAUTH_PATHS.revoke,
    introspection_endpoint: publicUrl + OAUTH_PATHS.introspect,
    userinfo_endpoint: publicUrl + OAUTH_PATHS.userinfo,
    jwks_uri: publicUrl + OAUTH_PATHS.jwks,
    scopes_supported: OAUTH_SCOPES,
    response_types_supported: ['code'],
    response_modes_supported: ['query'],
    grant_types_supported: ['authorization_code', 'refresh_token', 'client_credentials'],
    token_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post', 'none'],
    introspection_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post'],
    revocation_endpoint_auth_methods_supported: ['none'],
    code_challenge_methods_supported: ['S256'],
    authorization_response_iss_parameter_supported: true,
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: ['ES256'],
    claim_types_supported: ['normal'],
    claims_supported: [
      ...['sub', 'iss', 'aud', 'exp', 'iat', 'auth_time', 'nonce', 'at_hash'],
      ...['name', 'given_name', 'family_name', 'picture', 'email', 'email_verified'],
    ],
    prompt_values_supported: ['none', 'login', 'consent', 'select_account'],
    claims_parameter_supported: false,
    request_parameter_supported: false,
    request_uri_parameter_supported: false,
    service_documentation: `${publicUrl}/docs/guides/oauth`,
  };
}

/** Protected resource metadata (RFC 9728): the API is its own authorization server. */
export function resourceMetadata(publicUrl: string): Record<string, unknown> {
  return {
    resource: publicUrl,
    authorization_servers: [publicUrl],
    jwks_uri: publicUrl + OAUTH_PATHS.jwks,
    scopes_supported: OAUTH_SCOPES,
    bearer_methods_supported: ['header'],
    resource_name: 'Business Platform',
    resource_documentation: `${publicUrl}/docs`,
  };
}
