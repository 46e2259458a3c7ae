import type { z } from 'zod';
import { jsonSchemaOf } from '../../domain/contracts/json-schema.ts';
import type { JsonSchema } from '../../domain/contracts/json-schema.ts';

const LOCAL = '#/$defs/';
const COMPONENTS = '#/components/schemas/';

/** Turns zod schemas into JSON Schema and gathers the named ones (`.meta({ id })`) under `components.schemas`. */
export class SchemaCollector {
  readonly #components: Record<string, JsonSchema> = {};

  /** The schema as it stands in the document: a reference where it has a name. */
  use(schema: z.ZodType, io: 'input' | 'output'): JsonSchema {
    const { root, definitions } = convert(schema, io);
    this.#gather(definitions);
    return root;
  }

  /** The schema itself, its name aside: to be made part of another. */
  inline(schema: z.ZodType, io: 'input' | 'output'): JsonSchema {
    const { root, definitions } = convert(schema, io);
    const { $ref } = root;
    if (typeof $ref !== 'string') {
      this.#gather(definitions);
      return root;
    }
    const { [nameIn($ref)]: own, ...others } = definitions;
    this.#gather(others);
    return own ?? root;
  }

  /** Gives a schema a name, and answers the reference to it. */
  add(name: string, schema: JsonSchema): JsonSchema {
    const known = this.#components[name];
    if (known !== undefined && JSON.stringify(known) !== JSON.stringify(schema)) {
      throw new Error(`two schemas are named ${name}: one would be documented as the other`);
    }
    this.#components[name] = schema;
    return { $ref: `${COMPONENTS}${name}` };
  }

  /** What a reference stands for; any other schema is itself. */
  resolve(schema: JsonSchema): JsonSchema {
    const { $ref } = schema;
    if (typeof $ref !== 'string') return schema;
    const found = this.#components[nameIn($ref)];
    if (found === undefined) throw new Error(`${$ref} is not a component`);
    return found;
  }

  components(): Record<string, JsonSchema> {
    return Object.fromEntries(Object.entries(this.#components).sort(([a], [b]) => a.localeCompare(b)));
  }

  #gather(definitions: Record<string, JsonSchema>): void {
    for (const [name, definition] of Object.entries(definitions)) this.add(name, definition);
  }
}

function nameIn(reference: string): string {
  return reference.slice(COMPONENTS.length);
}

function convert(
  schema: z.ZodType,
  io: 'input' | 'output',
): { root: JsonSchema; definitions: Record<string, JsonSchema> } {
  const converted = jsonSchemaOf(schema, io);
  const { $schema: _, $defs = {}, ...root } = pointToComponents(converted) as JsonSchema;
  return { root, definitions: $defs as Record<string, JsonSchema> };
}

/** Rewrites `#/$defs/X` to `#/components/schemas/X`. */
function pointToComponents(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(pointToComponents);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [
      key,
      key === '$ref' && typeof inner === 'string' ? inner.replace(LOCAL, COMPONENTS) : pointToComponents(inner),
    ]),
  );
}
