import { operations } from '../registry.ts';
import { CURRENT_VERSION, FIRST_VERSION } from '../versions.ts';
import { authorizeEndpoints, OAUTH_TAG } from './openapi-authorize.ts';
import { describeEndpoint } from './openapi-endpoint.ts';
import { errorExamples } from './openapi-errors.ts';
import { HEADER_PARAMETERS, HEADERS } from './openapi-headers.ts';
import { HEALTH_TAG, healthEndpoints } from './openapi-health.ts';
import { mcpEndpoint } from './openapi-mcp.ts';
import type { Endpoint } from './openapi-model.ts';
import { oauthEndpoints, oauthSecurityScheme } from './openapi-oauth.ts';
import { PUBLIC_DATA_TAG, publicDataEndpoints } from './openapi-public-data.ts';
import { restEndpoint } from './openapi-rest.ts';
import { WEBHOOK_TAG, webhookDescriptions } from './openapi-webhooks.ts';
import { hasRoute } from './rest.ts';
import { ResponseCollector } from './response-collector.ts';
import { SchemaCollector } from './schema-collector.ts';

const documents = new Map<string, Record<string, unknown>>();

/** The OpenAPI 3.1 description of the whole API, derived from the registry. `publicUrl` is where it is reached. */
export function openApiDocument(publicUrl: string): Record<string, unknown> {
  const known = documents.get(publicUrl);
  if (known !== undefined) return known;
  const made = build(publicUrl);
  documents.set(publicUrl, made);
  return made;
}

function build(publicUrl: string): Record<string, unknown> {
  const schemas = new SchemaCollector();
  const responses = new ResponseCollector();
  const endpoints = allEndpoints(schemas);
  const paths: Record<string, Record<string, unknown>> = {};
  for (const [path, endpoint] of endpoints) {
    (paths[path] ??= {})[endpoint.method] = describeEndpoint(endpoint, { schemas, responses });
  }
  const webhooks = webhookDescriptions(schemas);
  const used = new Set([...endpoints.map(([, endpoint]) => endpoint.tag), WEBHOOK_TAG]);
  return {
    openapi: '3.1.0',
    info: { ...INFO, contact: { name: 'Support', url: `${publicUrl}/docs/guides/reliability` } },
    servers: [{ url: publicUrl, description: 'This installation' }],
    externalDocs: { url: `${publicUrl}/docs`, description: 'Guides' },
    tags: [...used].map((name) => ({ name, description: TAGS[name] ?? `${name}.` })),
    paths,
    webhooks,
    components: {
      schemas: schemas.components(),
      responses: responses.components(),
      headers: HEADERS,
      parameters: HEADER_PARAMETERS,
      examples: examplesInUse(responses.components(), errorExamples(publicUrl)),
      securitySchemes: { ...SECURITY_SCHEMES, oauth2: oauthSecurityScheme(publicUrl) },
    },
  };
}

/** In the order in which a reader meets them: the Public Data API, the REST operations, health. */
function allEndpoints(schemas: SchemaCollector): [string, Endpoint][] {
  return [
    ...publicDataEndpoints(schemas),
    ['/api/v1/public/mcp', mcpEndpoint(schemas)],
    ...operations
      .filter(hasRoute)
      .map((operation): [string, Endpoint] => [operation.route.path, restEndpoint(operation, schemas)]),
    ...authorizeEndpoints(),
    ...oauthEndpoints(schemas),
    ...healthEndpoints(schemas),
  ];
}

/** A code that no operation can answer needs no example. */
function examplesInUse(responses: unknown, examples: Record<string, unknown>): Record<string, unknown> {
  const text = JSON.stringify(responses);
  return Object.fromEntries(Object.entries(examples).filter(([code]) => text.includes(`/examples/${code}"`)));
}

const INFO = {
  title: 'Business Platform API',
  version: CURRENT_VERSION,
  summary: 'Work, people, contacts, money and Document AI for many clients',
  description: [
    'A multi-tenant business platform: work items, people, contacts, forms, attendance, finance, automation, webhooks and Document AI. The tenant comes from the credential, never from the request. Many operations are both a path here and an action of the Public Data API, with the same fields.',
    '**Envelope.** Success is `{success: true, data, meta}`, failure `{success: false, error: {code, message, details?, request_id, documentation_url}, meta}`. Document AI puts its fields at the top level; OAuth, health, metrics and JSON-RPC have no envelope.',
    `**Versions.** \`X-API-Version\` chooses a dated version from ${FIRST_VERSION} on; this document describes ${CURRENT_VERSION}.`,
    '**Limits.** Answers to authenticated requests carry `X-RateLimit-*`, `RateLimit` and `RateLimit-Policy`; a 429 says in `Retry-After` how long to wait.',
    '**CORS.** Requests with `X-API-Key` are open to every origin without credentials, bearer requests to known origins with credentials. `OPTIONS` on any path answers 204 with `Access-Control-Allow-Headers`, `Access-Control-Allow-Methods` and `Access-Control-Max-Age: 86400`. `HEAD` works wherever `GET` does.',
  ].join('\n\n'),
  license: { name: 'Proprietary', identifier: 'LicenseRef-Proprietary' },
};

const TAGS: Readonly<Record<string, string>> = {
  [PUBLIC_DATA_TAG]: 'One endpoint for every action, a batch, a tool catalogue and MCP; authenticated by an API key.',
  Authentication: 'Signing in as a person: access and refresh tokens.',
  'API keys': 'Long-lived keys for servers: scopes, address allowlist, expiry, limits.',
  [OAUTH_TAG]: 'The authorization server: authorization code with PKCE, refresh, client credentials, OpenID Connect.',
  'OAuth applications': 'Programs that act for your users, or for themselves: registration and secrets.',
  'Work items':
    'Jobs, tasks, tickets, projects and milestones: create, find, change, relate, close, and their activity.',
  Comments: 'What is said about a work item, for everybody or for colleagues only.',
  Attachments: 'Files on work items, one per call, up to 25 MiB each.',
  Contacts: 'Customers and suppliers.',
  Forms: 'Forms, and what people fill in.',
  Attendance: 'Clocking in and out, breaks, and the log of it.',
  Finance: 'The auditor export. Finance documents are actions of the Public Data API.',
  Payments: 'Payments for finance documents.',
  'Workflow templates': 'What is done by itself, and what starts it; the runs and their steps.',
  'Industry solutions': 'Sets of workflow templates to begin with.',
  [WEBHOOK_TAG]: 'Signed events to your endpoints, and the log of their deliveries.',
  Mail: 'What the platform has mailed to people of your client.',
  'Document AI': 'Reads documents: type, fields, line items, checks.',
  [HEALTH_TAG]: 'The state of the services, and metrics.',
};

const SECURITY_SCHEMES = {
  bearerJwt: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT',
    description: 'Access token of POST /api/v1/auth/login, valid for 15 minutes',
  },
  apiKey: { type: 'apiKey', in: 'header', name: 'X-API-Key', description: 'API key, begins svc_sk_' },
  bearerApiKey: { type: 'http', scheme: 'bearer', description: 'API key as bearer token (Document AI)' },
};
