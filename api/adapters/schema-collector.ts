import { z } from 'zod';
import type { JsonSchema } from './action-schema.ts';

const LOCAL = '#/$defs/';

/** Turns zod schemas into JSON Schema and gathers the named ones (`.meta({ id })`) under `components.schemas`. */
export class SchemaCollector {
  readonly #components: Record<string, JsonSchema> = {};

  /** The schema as it stands in the document: a reference where it has a name. */
  use(schema: z.ZodType, io: 'input' | 'output'): JsonSchema {
    const { $schema: _, $defs, ...rest } = z.toJSONSchema(schema, { io, reused: 'inline' }) as JsonSchema;
    for (const [name, definition] of Object.entries(($defs ?? {}) as Record<string, JsonSchema>))
      this.#add(name, definition);
    const name = schema.meta()?.id;
    if (name === undefined) return pointToComponents(rest) as JsonSchema;
    this.#add(name, rest);
    return { $ref: `#/components/schemas/${name}` };
  }

  components(): Record<string, JsonSchema> {
    return Object.fromEntries(Object.entries(this.#components).sort(([a], [b]) => a.localeCompare(b)));
  }

  #add(name: string, schema: JsonSchema): void {
    this.#components[name] ??= pointToComponents(schema) as JsonSchema;
  }
}

/** Rewrites `#/$defs/X` to `#/components/schemas/X` and drops the `id` keyword, which OpenAPI's dialect doesn't know. */
function pointToComponents(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(pointToComponents);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).filter(([key, inner]) => !(key === 'id' && typeof inner === 'string'));
  return Object.fromEntries(
    entries.map(([key, inner]) => [
      key,
      key === '$ref' && typeof inner === 'string'
        ? inner.replace(LOCAL, '#/components/schemas/')
        : pointToComponents(inner),
    ]),
  );
}
