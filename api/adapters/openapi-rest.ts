import type { Operation } from '../operation.ts';
import type { JsonSchema } from './action-schema.ts';
import { FILE_FIELD } from '../http/multipart.ts';
import { answerSchema } from './openapi-answers.ts';
import type { Endpoint, Parameter } from './openapi-model.ts';
import type { SchemaCollector } from './schema-collector.ts';

export type RoutedOperation = Operation & { route: NonNullable<Operation['route']> };

/** What the document says of an operation that has a route of its own. */
export function restEndpoint(operation: RoutedOperation, schemas: SchemaCollector): Endpoint {
  const { route, scopes, errors, deprecation } = operation;
  const input = schemas.inline(operation.input, 'input');
  const params = route.params ?? [];
  const hasNoBody = route.method === 'get' || route.method === 'delete';
  const inQuery = hasNoBody ? Object.keys(input.properties ?? {}) : (route.query ?? []);
  const body = hasNoBody ? undefined : (rawBodyOf(route, schemas) ?? bodyOf(input, [...params, ...inQuery], route));
  return {
    operationId: operation.name,
    summary: operation.title,
    description: operation.description,
    tag: operation.area,
    method: route.method,
    auth: route.auth,
    scoped: scopes !== null,
    ...(scopes === null ? {} : { scopes }),
    versioned: true,
    // It counts its requests itself.
    ...(route.body === 'raw' ? { limited: true } : {}),
    parameters: [...parametersOf(input, params, inQuery), ...headersOf(route)],
    ...(body === undefined ? {} : { body }),
    answers: answersOf(operation, schemas),
    ...(errors === undefined ? {} : { errors }),
    ...(deprecation === undefined ? {} : { deprecation }),
    ...(route.answers === 'binary' ? { binary: true } : {}),
    ...(route.answers === 'empty' ? { empty: true } : {}),
  };
}

function answersOf(operation: RoutedOperation, schemas: SchemaCollector): Endpoint['answers'] {
  const { route, title: description } = operation;
  if (route.answers === 'binary') {
    const bytes = { type: 'string', format: 'binary', examples: ['…'] };
    return {
      200: { description: 'The bytes, as a download', schema: bytes, mediaType: '*/*' },
      304: { description: 'The caller has them already (If-None-Match)' },
    };
  }
  const answer =
    route.answers === 'empty' ? { description } : { description, schema: answerSchema(operation, schemas, { route }) };
  const statuses = [route.status ?? 200, ...(route.otherStatuses ?? [])];
  return Object.fromEntries(statuses.map((status) => [status, answer]));
}

function parametersOf(input: JsonSchema, params: readonly string[], query: readonly string[]): Parameter[] {
  return Object.entries(input.properties ?? {}).flatMap(([name, schema]) => {
    const inPath = params.includes(name);
    if (!inPath && !query.includes(name)) return [];
    const { description, ...rest } = schema;
    const required = inPath || (input.required?.includes(name) ?? false);
    return {
      name,
      in: inPath ? 'path' : 'query',
      required,
      description: description ?? name,
      schema: rest,
      // Lists in a query are written `a,b`.
      ...(rest.type === 'array' ? { style: 'form', explode: false } : {}),
    };
  });
}

function headersOf({ headers = {}, optionalHeaders = {} }: RoutedOperation['route']): Parameter[] {
  const header =
    (required: boolean) =>
    ([name, description]: [string, string]): Parameter => ({
      name,
      in: 'header',
      required,
      description,
      schema: { type: 'string' },
    });
  return [...Object.entries(headers).map(header(true)), ...Object.entries(optionalHeaders).map(header(false))];
}

/**
 * The fields that come from neither path nor query; undefined when there are none. A body may be left out when none is
 * required.
 */
function bodyOf(input: JsonSchema, elsewhere: readonly string[], route: RoutedOperation['route']): Endpoint['body'] {
  const { required: all = [], properties = {}, ...rest } = input;
  const own = Object.entries(properties).filter(([name]) => !elsewhere.includes(name));
  const required = all.filter((name) => !elsewhere.includes(name));
  if (route.body === 'multipart') {
    const fields = { [FILE_FIELD]: FILE, ...Object.fromEntries(own) };
    const form = { ...rest, properties: fields, required: [FILE_FIELD, ...required] };
    return { required: true, schema: form, mediaTypes: ['multipart/form-data'] };
  }
  if (own.length === 0) return undefined;
  const schema = { ...rest, properties: Object.fromEntries(own), ...(required.length === 0 ? {} : { required }) };
  // `anyOf` asks for one of several fields.
  return { required: required.length > 0 || 'anyOf' in rest, schema };
}

/** What an operation reads itself. */
function rawBodyOf({ bodies }: RoutedOperation['route'], schemas: SchemaCollector): Endpoint['body'] {
  if (bodies === undefined) return undefined;
  return { required: true, schema: { anyOf: bodies.map((body) => schemas.use(body, 'input')) } };
}

const FILE = { type: 'string', format: 'binary', minLength: 1, description: 'The file', examples: ['…'] };
