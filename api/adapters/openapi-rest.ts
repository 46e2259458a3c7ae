import type { Operation } from '../operation.ts';
import type { JsonSchema } from './action-schema.ts';
import { answerSchema } from './openapi-answers.ts';
import type { Endpoint, Parameter } from './openapi-model.ts';
import type { SchemaCollector } from './schema-collector.ts';

export type RoutedOperation = Operation & { route: NonNullable<Operation['route']> };

/** What the document says of an operation that has a route of its own. */
export function restEndpoint(operation: RoutedOperation, schemas: SchemaCollector): Endpoint {
  const { route, scopes, errors, deprecation } = operation;
  const input = schemas.inline(operation.input, 'input');
  const params = route.params ?? [];
  const inQuery = route.method === 'get' || route.method === 'delete';
  const body = inQuery ? undefined : bodyOf(input, params);
  const answer = { description: operation.title, schema: answerSchema(operation, schemas, { route }) };
  const statuses = [route.status ?? 200, ...(route.otherStatuses ?? [])];
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
    parameters: parametersOf(input, params, inQuery),
    ...(body === undefined ? {} : { body }),
    answers: Object.fromEntries(statuses.map((status) => [status, answer])),
    ...(errors === undefined ? {} : { errors }),
    ...(deprecation === undefined ? {} : { deprecation }),
  };
}

function parametersOf(input: JsonSchema, params: readonly string[], inQuery: boolean): Parameter[] {
  return Object.entries(input.properties ?? {}).flatMap(([name, schema]) => {
    const inPath = params.includes(name);
    if (!inPath && !inQuery) return [];
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

/** The fields that don't come from the path; undefined when there are none. A body may be left out when none is required. */
function bodyOf(input: JsonSchema, params: readonly string[]): Endpoint['body'] {
  const { required: all = [], properties = {}, ...rest } = input;
  const own = Object.entries(properties).filter(([name]) => !params.includes(name));
  if (own.length === 0) return undefined;
  const required = all.filter((name) => !params.includes(name));
  const schema = { ...rest, properties: Object.fromEntries(own), ...(required.length === 0 ? {} : { required }) };
  // `anyOf` asks for one of several fields.
  return { required: required.length > 0 || 'anyOf' in rest, schema };
}
