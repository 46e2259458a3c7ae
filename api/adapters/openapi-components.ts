import { z } from 'zod';
import { ERROR_STATUS } from '../../domain/contracts/errors.ts';
import type { ErrorCode } from '../../domain/contracts/errors.ts';
import type { SchemaCollector } from './schema-collector.ts';

export const VERSION_HEADERS = {
  'X-Request-Id': {
    description: 'Id of the request, also in meta.request_id',
    schema: { type: 'string', format: 'uuid' },
  },
  'X-API-Version': { description: 'Version that handled the request', schema: { type: 'string', format: 'date' } },
};

export const Meta = z.object({ api_version: z.iso.date(), request_id: z.uuid() }).meta({ id: 'Meta' });
export const ListMeta = z
  .object({
    api_version: z.iso.date(),
    request_id: z.uuid(),
    pagination: z.object({ total: z.int(), limit: z.int(), offset: z.int() }),
  })
  .meta({ id: 'ListMeta' });

export function errorRefs(codes: readonly ErrorCode[]): Record<string, { $ref: string }> {
  const statuses = [...new Set(codes.map((code) => ERROR_STATUS[code]))].sort((a, b) => a - b);
  return Object.fromEntries(
    statuses.map((status) => [String(status), { $ref: `#/components/responses/Error${String(status)}` }]),
  );
}

/** One response component per status of the error table; its description names the codes. */
export function errorResponses(schemas: SchemaCollector): Record<string, unknown> {
  const schema = schemas.use(ErrorEnvelope, 'output');
  const statuses = [...new Set(Object.values(ERROR_STATUS))];
  return Object.fromEntries(
    statuses.map((status) => {
      const codes = (Object.keys(ERROR_STATUS) as ErrorCode[]).filter((code) => ERROR_STATUS[code] === status);
      return [
        `Error${String(status)}`,
        { description: codes.join(', '), headers: VERSION_HEADERS, content: { 'application/json': { schema } } },
      ];
    }),
  );
}

const ErrorEnvelope = z
  .object({
    success: z.literal(false),
    error: z.object({
      code: z.enum(Object.keys(ERROR_STATUS) as [ErrorCode, ...ErrorCode[]]),
      message: z.string(),
      details: z.array(z.object({ field: z.string(), issue: z.string() })).optional(),
      request_id: z.uuid(),
      documentation_url: z.url(),
    }),
    meta: Meta,
  })
  .meta({ id: 'ErrorEnvelope' });
