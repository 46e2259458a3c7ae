import type { AuthMethod } from '../operation.ts';
import type { JsonSchema } from './action-schema.ts';
import { byStatus, errorCodesOf, errorExampleRefs, errorSchema } from './openapi-errors.ts';
import { exampleOf } from './openapi-example.ts';
import { headerParameters, headersOf } from './openapi-headers.ts';
import type { Endpoint, Examples } from './openapi-model.ts';
import type { ResponseCollector } from './response-collector.ts';
import type { SchemaCollector } from './schema-collector.ts';

const SCHEME_OF: Readonly<Record<AuthMethod, string>> = {
  jwt: 'bearerJwt',
  api_key: 'apiKey',
  bearer_key: 'bearerApiKey',
  oauth: 'oauth2',
};

/** The OpenAPI operation object of an endpoint. */
export function describeEndpoint(
  endpoint: Endpoint,
  { schemas, responses }: { schemas: SchemaCollector; responses: ResponseCollector },
): Record<string, unknown> {
  const { operationId, summary, tag, auth, body, deprecation } = endpoint;
  return {
    operationId,
    summary,
    description: describeInWords(endpoint),
    tags: [tag],
    ...(typeof deprecation === 'object' ? { deprecated: true } : {}),
    security: auth.flatMap((method) => securityOf(method, endpoint.scopes)),
    parameters: [...(endpoint.parameters ?? []), ...headerParameters(endpoint)],
    ...(body === undefined ? {} : { requestBody: { required: body.required, content: contentOf(body, schemas) } }),
    responses: { ...successes(endpoint, schemas), ...refusals(endpoint, schemas, responses), ...pagesOf(endpoint) },
  };
}

/** One of the scopes is enough: each is an alternative of its own. Only OAuth has scopes that the document can name. */
function securityOf(method: AuthMethod, scopes: readonly string[] | undefined): Record<string, string[]>[] {
  const scheme = SCHEME_OF[method];
  return method === 'oauth' && scopes !== undefined
    ? scopes.map((scope) => ({ [scheme]: [scope] }))
    : [{ [scheme]: [] }];
}

function contentOf(body: NonNullable<Endpoint['body']>, schemas: SchemaCollector): Record<string, unknown> {
  const media = mediaOf(body, schemas);
  return Object.fromEntries((body.mediaTypes ?? ['application/json']).map((mediaType) => [mediaType, media]));
}

function describeInWords({ description, deprecation }: Endpoint): string {
  if (typeof deprecation !== 'object') return description;
  const { since, replacement, guide } = deprecation;
  return `${description} Deprecated since ${since}: use ${replacement}. See [the migration guide](${guide}).`;
}

function successes(endpoint: Endpoint, schemas: SchemaCollector): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(endpoint.answers).map(([status, { description, schema, mediaType, examples }]) => {
      const headers = headersOf(endpoint, Number(status));
      if (schema === undefined) return [status, { description, headers }];
      const media = mediaOf({ schema, ...(examples === undefined ? {} : { examples }) }, schemas);
      return [status, { description, headers, content: { [mediaType ?? 'application/json']: media } }];
    }),
  );
}

function refusals(endpoint: Endpoint, schemas: SchemaCollector, responses: ResponseCollector): Record<string, unknown> {
  return Object.fromEntries(
    byStatus(errorCodesOf(endpoint)).map(([status, codes]) => {
      const envelope = errorSchema(codes, schemas);
      const other = endpoint.otherErrors?.[status];
      const schema = other === undefined ? envelope : { anyOf: [envelope, other] };
      const content = {
        'application/json': { schema, examples: errorExampleRefs(codes) },
        ...(endpoint.pages === true ? PAGE : {}),
      };
      const response = { description: codes.join(', '), headers: headersOf(endpoint, status), content };
      return [String(status), responses.use(status, response)];
    }),
  );
}

const PAGE = {
  'text/html': { schema: { type: 'string' }, examples: { page: { value: '<!doctype html><title>…</title>' } } },
};

/** Whatever else goes wrong is told by a page. */
function pagesOf(endpoint: Endpoint): Record<string, unknown> {
  if (endpoint.pages !== true) return {};
  return { default: { description: 'A page that says what is wrong', headers: headersOf(endpoint, 0), content: PAGE } };
}

function mediaOf(
  { schema, examples }: { schema: JsonSchema; examples?: Examples },
  schemas: SchemaCollector,
): { schema: JsonSchema; examples: Examples } {
  return { schema, examples: examples ?? { default: { value: exampleOf(schema, schemas) } } };
}
