import type { ErrorCode } from '../../domain/contracts/errors.ts';
import { HealthReport } from '../health/report.ts';
import { CURRENT_VERSION } from '../http/version.ts';
import type { AuthMethod, Operation } from '../operation.ts';
import { operations } from '../registry.ts';
import { errorRefs, errorResponses, ListMeta, Meta, VERSION_HEADERS } from './openapi-components.ts';
import { publicDataPaths } from './openapi-public-data.ts';
import { hasRoute } from './rest.ts';
import { SchemaCollector } from './schema-collector.ts';
import type { JsonSchema } from './action-schema.ts';

type PathItem = Record<string, unknown>;
type RoutedOperation = Operation & { route: NonNullable<Operation['route']> };

let document: Record<string, unknown> | undefined;

/** The OpenAPI 3.1 description of the whole API, derived from the registry. */
export function openApiDocument(publicUrl: string): Record<string, unknown> {
  document ??= build();
  return { ...document, servers: [{ url: publicUrl }] };
}

function build(): Record<string, unknown> {
  const schemas = new SchemaCollector();
  const paths: Record<string, PathItem> = { ...publicDataPaths(schemas), ...healthPaths(schemas) };
  for (const operation of operations.filter(hasRoute)) {
    const item = (paths[operation.route.path] ??= {});
    item[operation.route.method] = describe(operation, schemas);
  }
  // Before `components`: it adds the error envelope to the schemas.
  const responses = errorResponses(schemas);
  return {
    openapi: '3.1.0',
    info: {
      title: 'Business Platform API',
      version: CURRENT_VERSION,
      description: 'Multi-tenant business platform: work items, contacts, webhooks, Document AI.',
      license: { name: 'Proprietary', url: 'https://example.com/licence' },
    },
    tags: [
      ...new Set([...operations.filter(hasRoute).map((operation) => operation.area), 'Public Data API', 'Health']),
    ].map((name) => ({
      name,
      description: `${name}.`,
    })),
    paths,
    components: {
      schemas: schemas.components(),
      securitySchemes: SECURITY_SCHEMES,
      responses,
    },
  };
}

const SECURITY_SCHEMES = {
  bearerJwt: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT',
    description: 'Access token of POST /api/v1/auth/login',
  },
  apiKey: { type: 'apiKey', in: 'header', name: 'X-API-Key', description: 'API key, begins svc_sk_' },
  bearerApiKey: { type: 'http', scheme: 'bearer', description: 'API key as bearer token (Document AI)' },
};

const SCHEME_OF: Readonly<Record<AuthMethod, string>> = {
  jwt: 'bearerJwt',
  api_key: 'apiKey',
  bearer_key: 'bearerApiKey',
};

function describe(operation: RoutedOperation, schemas: SchemaCollector): Record<string, unknown> {
  const { route } = operation;
  const input = schemas.use(operation.input, 'input');
  const inQuery = route.method === 'get' || route.method === 'delete';
  const parameters = parametersOf(input, route.params ?? [], inQuery);
  return {
    operationId: operation.name,
    summary: operation.title,
    description: operation.description,
    tags: [operation.area],
    security: route.auth.map((method) => ({ [SCHEME_OF[method]]: [] })),
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(inQuery
      ? {}
      : {
          requestBody: {
            required: true,
            content: { 'application/json': { schema: bodySchema(input, route.params ?? []) } },
          },
        }),
    responses: {
      [String(route.status ?? 200)]: {
        description: operation.title,
        headers: VERSION_HEADERS,
        content: { 'application/json': { schema: answerSchema(operation, schemas) } },
      },
      ...errorRefs(errorsOf(operation)),
    },
  };
}

function parametersOf(input: JsonSchema, params: readonly string[], inQuery: boolean): unknown[] {
  return Object.entries(input.properties ?? {}).flatMap(([name, schema]) => {
    const inPath = params.includes(name);
    if (!inPath && !inQuery) return [];
    const { description, ...rest } = schema;
    const required = inPath || (input.required?.includes(name) ?? false);
    return [{ name, in: inPath ? 'path' : 'query', required, description: description ?? name, schema: rest }];
  });
}

function bodySchema(input: JsonSchema, params: readonly string[]): JsonSchema {
  const properties = Object.fromEntries(
    Object.entries(input.properties ?? {}).filter(([name]) => !params.includes(name)),
  );
  const required = (input.required ?? []).filter((name) => !params.includes(name));
  return { ...input, properties, ...(required.length === 0 ? { required: [] } : { required }) };
}

function answerSchema(operation: RoutedOperation, schemas: SchemaCollector): JsonSchema {
  const data = schemas.use(operation.output, 'output');
  const meta = schemas.use(operation.paginated === true ? ListMeta : Meta, 'output');
  if (operation.route.shape === 'flat') {
    return {
      allOf: [data, { type: 'object', properties: { success: { const: true }, meta }, required: ['success', 'meta'] }],
    };
  }
  const extras = Object.fromEntries(
    Object.entries(operation.extras ?? {}).map(([key, schema]) => [key, schemas.use(schema, 'output')]),
  );
  return {
    type: 'object',
    properties: { success: { const: true }, data, ...extras, meta },
    required: ['success', 'data', ...Object.keys(extras), 'meta'],
  };
}

/** The codes that follow from what an operation is, and those that it names itself. */
function errorsOf(operation: RoutedOperation): ErrorCode[] {
  const { route } = operation;
  const codes: ErrorCode[] = ['BAD_REQUEST', ...(operation.errors ?? []), 'INTERNAL_ERROR', 'SERVICE_UNAVAILABLE'];
  if (route.auth.length > 0) codes.push('UNAUTHORIZED');
  if (operation.scopes !== null) codes.push('SCOPE_REQUIRED');
  if (route.method !== 'get' && route.method !== 'delete') codes.push('PAYLOAD_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE');
  return codes;
}

function healthPaths(schemas: SchemaCollector): Record<string, PathItem> {
  const schema = schemas.use(HealthReport, 'output');
  const get = {
    operationId: 'health',
    summary: 'Health of the platform',
    description: 'Answers 200 whatever the state; `status` tells it.',
    tags: ['Health'],
    security: [],
    responses: {
      '200': { description: 'Health report', content: { 'application/json': { schema } } },
      ...errorRefs(['INTERNAL_ERROR', 'METHOD_NOT_ALLOWED']),
    },
  };
  return { '/api/v1/health': { get } };
}
