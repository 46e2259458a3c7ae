import type { JsonSchema } from './json-schema.ts';

/** What a reference stands for; any other schema is itself. */
type Resolve = (schema: JsonSchema) => JsonSchema;

const BY_FORMAT: Readonly<Record<string, string>> = {
  'date-time': '2026-11-21T08:30:00.000Z',
  date: '2026-11-21',
  uuid: '0198c5c8-27ba-7c4e-8a3d-5f1c0e7b9a10',
  email: 'thandi@example.com',
  uri: 'https://erp.example.com/hooks/business',
};

/**
 * An example that fits the schema: its own where it has one (`.meta({ example })`), else made of its parts. Optional
 * fields are shown where they have an example or a default, so that a request stays as short as one writes it.
 */
export function exampleOf(schema: JsonSchema, resolve: Resolve, { whole = false } = {}): unknown {
  const target = resolve(schema);
  const given = givenExample(target);
  if (given !== undefined) return given;
  if (isNullable(target)) return null;
  // An object with alternatives beside its fields says there which of the fields belong together.
  const [part] = target.type === undefined ? alternativesOf(target) : [];
  if (part !== undefined) return exampleOf(part, resolve, { whole });
  if (Array.isArray(target['allOf'])) {
    const parts = (target['allOf'] as JsonSchema[]).map((inner) => exampleOf(inner, resolve, { whole }));
    return Object.assign({}, ...parts) as unknown;
  }
  switch (target.type) {
    case 'object':
      return objectExample(target, resolve, whole);
    case 'array':
      return arrayExample(target, resolve, whole);
    case 'integer':
    case 'number':
      return Math.max(1, Number(target['minimum'] ?? 1));
    case 'boolean':
      return true;
    case 'string':
      return stringExample(target);
    default:
      return 'any value';
  }
}

/** What may be null and has no example of its own is shown as null, as a young record has it. */
function isNullable(schema: JsonSchema): boolean {
  return typesOf(schema).includes('null') || alternativesOf(schema).some((part) => part.type === 'null');
}

function typesOf({ type }: JsonSchema): unknown[] {
  return Array.isArray(type) ? (type as unknown[]) : [type];
}

function givenExample(schema: JsonSchema): unknown {
  const { examples, default: byDefault, const: constant } = schema;
  if (Array.isArray(examples)) return examples[0];
  if (constant !== undefined) return constant;
  if (byDefault !== undefined) return byDefault;
  return Array.isArray(schema.enum) ? schema.enum[0] : undefined;
}

function alternativesOf(schema: JsonSchema): JsonSchema[] {
  return (schema['anyOf'] ?? schema['oneOf'] ?? []) as JsonSchema[];
}

function objectExample(schema: JsonSchema, resolve: Resolve, whole: boolean): Record<string, unknown> {
  const required = new Set(schema.required ?? []);
  const shown = Object.entries(schema.properties ?? {}).filter(
    ([name, property]) => whole || required.has(name) || Array.isArray(resolve(property)['examples']),
  );
  return Object.fromEntries(shown.map(([name, property]) => [name, exampleOf(property, resolve, { whole })]));
}

function arrayExample(schema: JsonSchema, resolve: Resolve, whole: boolean): unknown[] {
  const { items } = schema;
  return items === undefined ? [] : [exampleOf(items as JsonSchema, resolve, { whole })];
}

function stringExample(schema: JsonSchema): string {
  const { format } = schema;
  const known = typeof format === 'string' ? BY_FORMAT[format] : undefined;
  if (known !== undefined) return known;
  const { maxLength } = schema;
  return typeof maxLength === 'number' ? 'text'.slice(0, maxLength) : 'text';
}
