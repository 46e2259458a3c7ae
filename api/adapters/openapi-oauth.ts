import { z } from 'zod';
import { KNOWN_SCOPES, availableScopes } from '../../domain/contracts/scopes.ts';
import { IDENTITY_SCOPES } from '../../domain/oauth/index.ts';
import { OAUTH_PATHS } from '../oauth/metadata.ts';
import type { JsonSchema } from './action-schema.ts';
import { OAUTH_TAG } from './openapi-authorize.ts';
import type { Endpoint, Examples } from './openapi-model.ts';
import type { SchemaCollector } from './schema-collector.ts';

const FORM_AND_JSON = ['application/x-www-form-urlencoded', 'application/json'] as const;
/** Every status whose body is that of RFC 6749 §5.2. */
const ERROR_STATUSES = [400, 401, 403, 408, 413, 429, 500, 503] as const;

const OAuthErrorBody = z
  .strictObject({
    error: z.string().describe('Code of RFC 6749 §5.2').meta({ example: 'invalid_grant' }),
    error_description: z.string().meta({ example: 'The refresh token is not valid.' }),
    request_id: z.uuid(),
  })
  .meta({ id: 'OAuthError' });

const text = (description: string): z.ZodOptional<z.ZodString> => z.string().optional().describe(description);
const CLIENT = {
  client_id: text('Of the application; not with HTTP Basic').meta({ example: 'svc_oa_...' }),
  client_secret: text('Of a confidential application; not with HTTP Basic').meta({ example: 'svc_os_...' }),
};

const TokenRequest = z
  .object({
    grant_type: z.enum(['authorization_code', 'refresh_token', 'client_credentials']),
    ...CLIENT,
    code: text('authorization_code: the code'),
    redirect_uri: text('authorization_code: the same as at the authorization endpoint'),
    code_verifier: text('authorization_code: the PKCE verifier, 43 to 128 characters'),
    refresh_token: text('refresh_token: works once'),
    scope: text('client_credentials, refresh_token: fewer scopes, separated by spaces'),
  })
  .meta({ id: 'OAuthTokenRequest' });

const TokenAnswer = z
  .strictObject({
    access_token: z.string().describe('JWT, typ at+jwt').meta({ example: 'eyJhbGciOiJFUzI1NiJ9.eyJzdWIiOiIxIn0.c2ln' }),
    token_type: z.literal('Bearer'),
    expires_in: z.int().meta({ example: 900 }),
    scope: z.string().meta({ example: 'openid work_items:read' }),
    refresh_token: text('Valid 30 days, works once; not for client credentials').meta({ example: 'svc_rt_...' }),
    id_token: text('With scope openid, at a code exchange'),
  })
  .meta({ id: 'OAuthTokenResponse' });

const Token = z.object({
  token: z.string().min(1).describe('An access or refresh token').meta({ example: 'svc_rt_...' }),
  token_type_hint: text('access_token or refresh_token; not needed'),
});

const Introspection = z
  .strictObject({
    active: z.boolean(),
    scope: text('What it opens today'),
    client_id: text('The application it was issued to'),
    sub: text('The user, or the application itself'),
    iss: text('This server'),
    exp: z.int().optional(),
    iat: z.int().optional(),
    token_type: text('Bearer, for an access token'),
    aud: text('The API'),
    jti: text('Id of an access token'),
  })
  .meta({ id: 'OAuthIntrospection' });

const UserInfo = z
  .strictObject({
    sub: text('Id of the user (scope openid), or the client_id of an application').meta({ example: '1' }),
    email: text('Scope email or profile'),
    email_verified: z.boolean().optional(),
    name: text('Scope profile'),
    given_name: text('Scope profile'),
    family_name: text('Scope profile'),
    picture: text('Scope profile'),
    client_id: text('Only for an application’s own token'),
    scope: text('Only for an application’s own token'),
  })
  .meta({ id: 'OAuthUserInfo' });

/** The endpoints that programs call. */
export function oauthEndpoints(schemas: SchemaCollector): [string, Endpoint][] {
  const refusal = schemas.use(OAuthErrorBody, 'output');
  const otherErrors = Object.fromEntries(ERROR_STATUSES.map((status) => [status, refusal]));
  const post = (operationId: string, summary: string, description: string, io: PostShape): Endpoint => ({
    operationId,
    summary,
    description,
    tag: OAUTH_TAG,
    method: 'post',
    auth: [],
    limited: io.limited === true,
    versioned: false,
    body: {
      required: true,
      schema: schemas.use(io.request, 'input'),
      mediaTypes: FORM_AND_JSON,
      ...(io.examples === undefined ? {} : { examples: io.examples }),
    },
    answers: { 200: { description: 'Done', schema: schemas.use(io.answer, 'output') } },
    errors: ['BAD_REQUEST', 'UNAUTHORIZED', 'RATE_LIMITED', 'SERVICE_UNAVAILABLE'],
    otherErrors,
  });
  return [
    [
      OAUTH_PATHS.token,
      post(...TOKEN_TEXTS, { request: TokenRequest, answer: TokenAnswer, examples: TOKEN_EXAMPLES, limited: true }),
    ],
    [OAUTH_PATHS.revoke, post(...REVOKE_TEXTS, { request: Token, answer: z.strictObject({}) })],
    [OAUTH_PATHS.introspect, post(...INTROSPECT_TEXTS, { request: Token.extend(CLIENT), answer: Introspection })],
    [OAUTH_PATHS.userinfo, userInfoEndpoint('get', schemas.use(UserInfo, 'output'), otherErrors)],
    [OAUTH_PATHS.userinfo, userInfoEndpoint('post', schemas.use(UserInfo, 'output'), otherErrors)],
    ...documents(),
  ];
}

interface PostShape {
  request: z.ZodType;
  answer: z.ZodType;
  examples?: Examples;
  limited?: boolean;
}

type Texts = [operationId: string, summary: string, description: string];

const TOKEN_TEXTS: Texts = [
  'oauth-token',
  'Get tokens',
  'Exchanges an authorization code (PKCE is required), a refresh token or client credentials for tokens. The application authenticates by HTTP Basic or in the body, not both. Using a code or a refresh token twice ends everything that it had issued.',
];
const REVOKE_TEXTS: Texts = [
  'oauth-revoke',
  'Revoke a token',
  'RFC 7009, without client authentication. A refresh token ends its whole chain, an access token itself. 200 whether or not the token was valid.',
];
const INTROSPECT_TEXTS: Texts = [
  'oauth-introspect',
  'Introspect a token',
  'RFC 7662, for confidential applications, about tokens of their own client.',
];

const TOKEN_EXAMPLES: Examples = {
  'client-credentials': {
    value: { grant_type: 'client_credentials', client_id: 'svc_oa_...', client_secret: 'svc_os_...' },
  },
  'refresh-token': {
    value: { grant_type: 'refresh_token', refresh_token: 'svc_rt_...', client_id: 'svc_oa_...' },
  },
};

function userInfoEndpoint(
  method: 'get' | 'post',
  schema: JsonSchema,
  otherErrors: Record<number, JsonSchema>,
): Endpoint {
  return {
    operationId: method === 'get' ? 'oauth-userinfo' : 'oauth-userinfo-post',
    summary: 'Who the token is about',
    description:
      'OpenID Connect userinfo: the user, by the scopes of the token, or the application of a token of its own.',
    tag: OAUTH_TAG,
    method,
    auth: ['oauth'],
    scopes: Object.keys(IDENTITY_SCOPES),
    versioned: false,
    answers: { 200: { description: 'The claims', schema } },
    errors: ['BAD_REQUEST', 'FORBIDDEN', 'SERVICE_UNAVAILABLE'],
    otherErrors,
  };
}

function documents(): [string, Endpoint][] {
  const one = (operationId: string, summary: string): Endpoint => ({
    operationId,
    summary,
    description: `${summary}. Cacheable for five minutes.`,
    tag: OAUTH_TAG,
    method: 'get',
    auth: [],
    versioned: false,
    answers: { 200: { description: 'The document', schema: { type: 'object', examples: [{}] } } },
    errors: ['BAD_REQUEST'],
  });
  return [
    [OAUTH_PATHS.jwks, one('oauth-jwks', 'Public keys that tokens are signed with (RFC 7517)')],
    [OAUTH_PATHS.serverMetadata, one('oauth-server-metadata', 'Authorization server metadata (RFC 8414)')],
    [OAUTH_PATHS.openidConfiguration, one('openid-configuration', 'OpenID Connect Discovery document')],
    [OAUTH_PATHS.resourceMetadata, one('oauth-resource-metadata', 'Protected resource metadata (RFC 9728)')],
  ];
}

/** Both flows, each with every scope in words. */
export function oauthSecurityScheme(publicUrl: string): Record<string, unknown> {
  const words = availableScopes('full');
  const data = Object.fromEntries([...KNOWN_SCOPES].map((scope) => [scope, words[scope] ?? scope]));
  const tokenUrl = publicUrl + OAUTH_PATHS.token;
  return {
    type: 'oauth2',
    description: 'OAuth access token as bearer token, on the routes that name it',
    flows: {
      authorizationCode: {
        authorizationUrl: publicUrl + OAUTH_PATHS.authorize,
        tokenUrl,
        refreshUrl: tokenUrl,
        scopes: { ...IDENTITY_SCOPES, ...data },
      },
      clientCredentials: { tokenUrl, scopes: data },
    },
  };
}
