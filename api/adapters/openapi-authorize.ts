import { OAUTH_PATHS } from '../oauth/metadata.ts';
import type { JsonSchema } from './action-schema.ts';
import type { Endpoint, Parameter } from './openapi-model.ts';

export const OAUTH_TAG = 'OAuth 2.0';

const FORM = 'application/x-www-form-urlencoded';

/** The authorization endpoint: a page for people, reached by redirect. What it refuses is a page too, or a redirect. */
export function authorizeEndpoints(): [string, Endpoint][] {
  return [
    [OAUTH_PATHS.authorize, START],
    [OAUTH_PATHS.authorize, DECIDE],
  ];
}

const query = (name: string, description: string, schema: JsonSchema, required = false): Parameter => ({
  name,
  in: 'query',
  required,
  description,
  schema: { type: 'string', ...schema },
});

const START: Endpoint = {
  operationId: 'oauth-authorize',
  summary: 'Start authorization',
  description:
    'Where an application sends its user’s browser (RFC 6749 §4.1.1). Leads on to sign-in and consent. A wrong `client_id` or `redirect_uri` is answered by a page; every other error is a redirect to the application with `error`, `error_description`, `state` and `iss`.',
  tag: OAUTH_TAG,
  method: 'get',
  auth: [],
  versioned: false,
  pages: true,
  parameters: [
    query('response_type', 'What is asked for', { enum: ['code'] }, true),
    query('client_id', 'The application', { examples: ['svc_oa_...'] }, true),
    query(
      'redirect_uri',
      'Where the answer goes: one of the registered addresses, character by character; on loopback with any port',
      { examples: ['https://app.example.com/callback'] },
      true,
    ),
    query('scope', 'Scopes, separated by spaces. Required, unless the application has default scopes.', {
      examples: ['openid work_items:read'],
    }),
    query('state', 'Returned unchanged with the answer', { maxLength: 2048, examples: ['af0ifjsldkj'] }),
    query(
      'code_challenge',
      'BASE64URL(SHA-256(code_verifier)) (RFC 7636 §4.2)',
      { pattern: '^[A-Za-z0-9_-]{43,128}$', examples: ['E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM'] },
      true,
    ),
    query('code_challenge_method', 'How the challenge was made', { enum: ['S256'] }, true),
    query('nonce', 'Returned in the id_token', { maxLength: 512, examples: ['n-0S6_WzA2Mj'] }),
    query('prompt', 'none, or any of login, consent and select_account', { examples: ['login'] }),
    query('max_age', 'Seconds that the sign-in may lie back', { pattern: '^[0-9]{1,9}$', examples: ['3600'] }),
    query('login_hint', 'E-mail address to sign in with', { maxLength: 254, examples: ['thandi@example.com'] }),
    query('response_mode', 'How the answer is given', { enum: ['query'] }),
  ],
  answers: { 303: { description: 'To the page that comes next, or with an error to the application' } },
  errors: ['BAD_REQUEST', 'RATE_LIMITED', 'SERVICE_UNAVAILABLE'],
};

const DECIDE: Endpoint = {
  operationId: 'oauth-decide',
  summary: 'Approve or deny an authorization request',
  description:
    'Sent by the form of the consent page, with the session cookie of the signed-in user. Each request is decided once, within ten minutes.',
  tag: OAUTH_TAG,
  method: 'post',
  auth: [],
  versioned: false,
  pages: true,
  body: {
    required: true,
    mediaTypes: [FORM, 'application/json'],
    schema: {
      type: 'object',
      properties: {
        request: { type: 'string', description: 'Handle of the request, from the page' },
        decision: { type: 'string', enum: ['approve', 'deny'] },
        csrf_token: { type: 'string', description: 'Token of the session, from the page' },
      },
      required: ['request', 'decision', 'csrf_token'],
    },
    examples: {
      approve: {
        summary: 'Approve',
        value: { request: '0b8f5f0e-5d0c-4f4e-9a55-3c1f8f6f2a11.mY3k…', decision: 'approve', csrf_token: 'q8Zt…' },
      },
    },
  },
  answers: {
    303: {
      description:
        'To the redirect_uri, with `code`, `state` and `iss`; after a denial with `error=access_denied`, `error_description`, `state` and `iss`',
    },
  },
  errors: ['BAD_REQUEST', 'FORBIDDEN', 'SERVICE_UNAVAILABLE'],
};
