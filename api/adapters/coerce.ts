import type { z } from 'zod';
import { unwrapped } from '../validate.ts';

/**
 * Query and path values are strings; this turns each into what its schema field wants (number, boolean, list), and
 * leaves what doesn't fit as it is, for validation to name.
 */
export function coerceStrings(schema: z.ZodObject, values: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => {
      const field = Object.hasOwn(schema.shape, name) ? (schema.shape[name] as z.ZodType) : undefined;
      return [name, coerce(field, value)];
    }),
  );
}

function coerce(schema: z.ZodType | undefined, value: unknown): unknown {
  const type = schema === undefined ? undefined : unwrapped(schema).def.type;
  if (type === 'array') return typeof value === 'string' ? value.split(',') : value;
  if (typeof value !== 'string') return value;
  if (type === 'number' && /^-?\d+(\.\d+)?$/.test(value)) return Number(value);
  if (type === 'boolean' && (value === 'true' || value === 'false')) return value === 'true';
  return value;
}
