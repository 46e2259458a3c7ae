import { MAX_ID } from '../../domain/contracts/common.ts';
import { jsonSchemaOf } from '../../domain/contracts/json-schema.ts';
import type { JsonSchema } from '../../domain/contracts/json-schema.ts';
import type { Action } from '../registry.ts';

export type { JsonSchema } from '../../domain/contracts/json-schema.ts';

const inputs = new WeakMap<Action, JsonSchema>();
const outputs = new WeakMap<Action, JsonSchema>();

/**
 * The JSON Schema of an action's parameters, in the subset that every provider of agents takes: an object with nothing
 * beyond its properties, each property of one type, fields with a default not required.
 */
export function inputSchema(action: Action): JsonSchema {
  return memo(inputs, action, () => {
    const schema = oneType(inlined(jsonSchemaOf(action.input, 'input')));
    return {
      type: 'object',
      properties: schema.properties ?? {},
      required: schema.required ?? [],
      additionalProperties: false,
    };
  });
}

/**
 * The JSON Schema of what an action answers in `data`. It says what is there, not that nothing else is: a field that is
 * added later breaks no client that has kept it.
 */
export function outputSchema(action: Action): JsonSchema {
  return memo(outputs, action, () => inlined(jsonSchemaOf(action.output, 'output'), toRead));
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

/** Keywords that hold values; whatever these look like, they are no schemas. */
const VALUES = new Set(['default', 'enum', 'const', 'examples', 'required', 'type']);

/** Puts `$defs` where they are meant, and trims each schema on the way. */
function inlined(schema: JsonSchema, trimmed = withoutEchoes): JsonSchema {
  const { $schema: _, $defs = {}, ...rest } = schema;
  const definitions = $defs as Record<string, JsonSchema>;
  const inline = (part: JsonSchema, within: readonly string[]): JsonSchema => {
    const { $ref, ...others } = trimmed(part);
    if (typeof $ref === 'string') {
      const name = $ref.slice('#/$defs/'.length);
      // What holds itself could be written out forever; the second time it is any value.
      const meant = within.includes(name) ? {} : definitions[name];
      return inline({ ...meant, ...without$ref(part) }, [...within, name]);
    }
    return Object.fromEntries(Object.entries(others).map(([key, value]) => [key, keyword(key, value, within)]));
  };
  const keyword = (key: string, value: unknown, within: readonly string[]): unknown => {
    if (VALUES.has(key) || typeof value !== 'object' || value === null) return value;
    if (Array.isArray(value)) return value.map((inner) => inline(inner as JsonSchema, within));
    if (key !== 'properties') return inline(value as JsonSchema, within);
    const properties = Object.entries(value as Record<string, JsonSchema>);
    return Object.fromEntries(properties.map(([name, property]) => [name, inline(property, within)]));
  };
  return inline(rest, []);
}

/** Without zod's expression for a format that has a name: at five of them a record, agents would read little else. */
function withoutEchoes(schema: JsonSchema): JsonSchema {
  const { pattern, ...rest } = schema;
  return pattern === undefined || rest['format'] !== undefined ? rest : schema;
}

/** Of an answer: without examples, which only help to write, and open to more fields. */
function toRead(schema: JsonSchema): JsonSchema {
  const { examples: _, additionalProperties, ...rest } = withoutEchoes(schema);
  return additionalProperties === undefined || additionalProperties === false
    ? rest
    : { ...rest, additionalProperties };
}

function without$ref({ $ref: _, ...others }: JsonSchema): JsonSchema {
  return others;
}

/** A schema with one type in each place: of a nullable field the type that it has when it is not null. */
function oneType(schema: JsonSchema): JsonSchema {
  const { anyOf, ...outer } = schema;
  const [only, ...more] = ((anyOf ?? []) as JsonSchema[]).filter(({ type }) => type !== 'null');
  const plain = only !== undefined && more.length === 0 ? nullable(oneType(only), outer) : lean(schema);
  return {
    ...plain,
    ...(plain.properties === undefined ? {} : { properties: mapped(plain.properties) }),
    ...(plain['items'] === undefined ? {} : { items: oneType(plain['items'] as JsonSchema) }),
  };
}

function nullable(inner: JsonSchema, outer: JsonSchema): JsonSchema {
  const merged = { ...inner, ...outer };
  const { description = '' } = merged;
  return /\bnull\b/.test(description) ? merged : { ...merged, description: `${description}; null: none` };
}

function mapped(properties: Record<string, JsonSchema>): Record<string, JsonSchema> {
  return Object.fromEntries(Object.entries(properties).map(([name, property]) => [name, oneType(property)]));
}

/** Without what only a validator has a use for: agents pay for each word, and the action checks it all the same. */
function lean(schema: JsonSchema): JsonSchema {
  const { propertyNames: _, pattern, maximum, minimum, exclusiveMinimum, minLength, ...rest } = schema;
  const isId = maximum === MAX_ID || maximum === Number.MAX_SAFE_INTEGER;
  return {
    ...rest,
    ...(typeof pattern !== 'string' || pattern === NOT_BLANK || pattern.length > LONG ? {} : { pattern }),
    ...(maximum === undefined || isId ? {} : { maximum }),
    ...(minimum === undefined || minimum === Number.MIN_SAFE_INTEGER ? {} : { minimum }),
    ...(exclusiveMinimum === undefined || isId ? {} : { exclusiveMinimum }),
    ...(minLength === undefined || minLength === 1 ? {} : { minLength }),
    // Any value: said in the one way that all providers read.
    ...(isEmpty(rest.additionalProperties) ? { additionalProperties: true } : {}),
  };
}

/** A longer pattern is for machines: the description says the same in words. */
const LONG = 60;

/** Of every text that must have something to read in it. */
const NOT_BLANK = '\\S';

function isEmpty(schema: boolean | JsonSchema | undefined): boolean {
  return typeof schema === 'object' && Object.keys(schema).length === 0;
}
