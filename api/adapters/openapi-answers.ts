import { z } from 'zod';
import type { Operation, Route } from '../operation.ts';
import type { JsonSchema } from './action-schema.ts';
import { Meta } from './openapi-errors.ts';
import type { SchemaCollector } from './schema-collector.ts';

const ListMeta = Meta.extend({
  pagination: z.object({
    total: z.int().describe('How many match; counted no further than 10,000').meta({ example: 128 }),
    limit: z.int().describe('How many were asked for').meta({ example: 50 }),
    offset: z.int().describe('How many were skipped').meta({ example: 0 }),
    total_is_exact: z.literal(false).optional().describe('Present where more than total match'),
  }),
}).meta({ id: 'ListMeta' });

/** `{success, data, …extras, meta}` and nothing else. */
export function envelope(
  data: JsonSchema,
  schemas: SchemaCollector,
  { extras = {}, paginated = false }: { extras?: Record<string, JsonSchema>; paginated?: boolean } = {},
): JsonSchema {
  return closed({
    success: { type: 'boolean', const: true },
    data,
    ...extras,
    meta: schemas.use(paginated ? ListMeta : Meta, 'output'),
  });
}

/** An object of exactly these fields. */
export function closed(properties: Record<string, JsonSchema>): JsonSchema {
  return { type: 'object', properties, required: Object.keys(properties), additionalProperties: false };
}

/** What an operation answers when it succeeds, as an action or at its own route. */
export function answerSchema(
  operation: Operation,
  schemas: SchemaCollector,
  { route }: { route?: Route } = {},
): JsonSchema {
  if (route?.shape === 'flat') return flatAnswer(operation, schemas);
  const extras = Object.fromEntries(
    Object.entries(operation.extras ?? {}).map(([key, schema]) => [key, schemas.use(schema, 'output')]),
  );
  const data = schemas.use(shownOutput(operation, route?.unwrap), 'output');
  const schema = envelope(data, schemas, { extras, paginated: operation.paginated === true });
  const isThere = (key: string): boolean => !(operation.extras?.[key] instanceof z.ZodOptional);
  return { ...schema, required: schema.required?.filter(isThere) ?? [] };
}

/** The schema of what stands in `data`: where the route unwraps a field, that field's. */
function shownOutput({ name, output }: Operation, unwrap: string | undefined): z.ZodType {
  if (unwrap === undefined) return output;
  const field = output instanceof z.ZodObject ? (output.shape[unwrap] as z.ZodType | undefined) : undefined;
  if (field === undefined) throw new Error(`${name} has no field ${unwrap} to unwrap`);
  return field;
}

/** The fields of the payload beside `success` and `meta`: one closed object, which an allOf of closed ones can't be. */
function flatAnswer(operation: Operation, schemas: SchemaCollector): JsonSchema {
  const payload = schemas.inline(operation.output, 'output');
  const isList = { paginated: operation.paginated === true };
  const { success, meta } = envelope({}, schemas, isList).properties as { success: JsonSchema; meta: JsonSchema };
  const whole = {
    ...payload,
    properties: { success, ...payload.properties, meta },
    required: ['success', ...(payload.required ?? []), 'meta'],
  };
  const name = operation.output.meta()?.id;
  return name === undefined ? whole : schemas.add(name, whole);
}
