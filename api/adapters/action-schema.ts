import { z } from 'zod';
import type { Action } from '../registry.ts';

/** The part of JSON Schema that the catalogues are made of. */
export interface JsonSchema {
  type?: string;
  description?: string;
  enum?: unknown[];
  default?: unknown;
  properties?: Record<string, JsonSchema>;
  required?: string[];
  additionalProperties?: boolean | JsonSchema;
  [keyword: string]: unknown;
}

const inputs = new WeakMap<Action, JsonSchema>();
const outputs = new WeakMap<Action, JsonSchema>();

/** The JSON Schema of an action's parameters: an object, nothing beyond its properties, fields with a default not required. */
export function inputSchema(action: Action): JsonSchema {
  return memo(inputs, action, () => {
    const schema = plain(z.toJSONSchema(action.input, { io: 'input' }) as JsonSchema);
    return {
      type: 'object',
      properties: schema.properties ?? {},
      required: schema.required ?? [],
      additionalProperties: false,
    };
  });
}

/** The JSON Schema of what an action answers in `data`. */
export function outputSchema(action: Action): JsonSchema {
  return memo(outputs, action, () =>
    plain(z.toJSONSchema(action.output, { io: 'output', reused: 'inline' }) as JsonSchema),
  );
}

/** `Required scope: a or b`, the sentence with which each catalogue description ends (spec, "Tool catalog"). */
export function describeAction(action: Action): string {
  const scope = action.scopes === null ? 'none' : action.scopes.join(' or ');
  return `${action.description} Required scope: ${scope}.`;
}

function memo(cache: WeakMap<Action, JsonSchema>, action: Action, make: () => JsonSchema): JsonSchema {
  const known = cache.get(action);
  if (known !== undefined) return known;
  const made = make();
  cache.set(action, made);
  return made;
}

/** Inlines `$defs`, and drops the keywords that catalogues' validators don't know (`$schema`, `id`). */
function plain(schema: JsonSchema): JsonSchema {
  const { $schema: _, $defs, ...rest } = schema;
  const definitions = ($defs ?? {}) as Record<string, JsonSchema>;
  const inline = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(inline);
    if (typeof value !== 'object' || value === null) return value;
    const { $ref, ...others } = value as JsonSchema;
    // As a keyword `id` is a string; as a property's name (in `properties`) it holds a schema and stays.
    if (typeof others['id'] === 'string') delete others['id'];
    if (typeof $ref === 'string') return inline({ ...definitions[$ref.slice('#/$defs/'.length)], ...others });
    return Object.fromEntries(Object.entries(others).map(([key, inner]) => [key, inline(inner)]));
  };
  return inline(rest) as JsonSchema;
}
