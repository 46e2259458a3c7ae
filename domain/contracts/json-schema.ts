import { z } from 'zod';

/** The part of JSON Schema (2020-12) that is made of contracts. */
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

/** Whether a pattern says the same as the format beside it, at a length that nobody reads. */
function isEcho({ format, pattern }: JsonSchema): boolean {
  return format === 'date-time' || (format === 'date' && pattern === z.regexes.date.source);
}

/** The JSON Schema of a contract. The schemas it names (`.meta({ id })`) are in `$defs`. */
export function jsonSchemaOf(schema: z.ZodType, io: 'input' | 'output'): JsonSchema {
  return z.toJSONSchema(schema, {
    io,
    reused: 'inline',
    override: ({ jsonSchema }) => {
      tidy(jsonSchema as JsonSchema, io);
    },
  }) as JsonSchema;
}

/** JSON Schema as the standard has it (`examples`, no `id`), without what only says that a number is a number. */
function tidy(schema: JsonSchema, io: 'input' | 'output'): void {
  if (typeof schema['id'] === 'string') delete schema['id'];
  if ('example' in schema) {
    schema['examples'] = [schema['example']];
    delete schema['example'];
  }
  if (isEcho(schema)) delete schema['pattern'];
  if (io === 'input') return;
  if (schema['minimum'] === Number.MIN_SAFE_INTEGER) delete schema['minimum'];
  if (schema['maximum'] === Number.MAX_SAFE_INTEGER) delete schema['maximum'];
}
