import { exampleOf as exampleOfSchema } from '../../domain/contracts/json-example.ts';
import type { JsonSchema } from './action-schema.ts';
import type { SchemaCollector } from './schema-collector.ts';

/** An example that fits a schema of the document. */
export function exampleOf(schema: JsonSchema, schemas: SchemaCollector, options?: { whole?: boolean }): unknown {
  return exampleOfSchema(schema, (inner) => schemas.resolve(inner), options);
}
