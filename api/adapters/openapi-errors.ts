import { z } from 'zod';
import { ERROR_STATUS } from '../../domain/contracts/errors.ts';
import type { ErrorCode } from '../../domain/contracts/errors.ts';
import { CURRENT_VERSION } from '../versions.ts';
import type { JsonSchema } from './action-schema.ts';
import type { Endpoint } from './openapi-model.ts';
import { takesIdempotencyKey } from './openapi-headers.ts';
import type { SchemaCollector } from './schema-collector.ts';

const CODES = Object.keys(ERROR_STATUS) as ErrorCode[];
const EXAMPLE_REQUEST_ID = '0b8f5f0e-5d0c-4f4e-9a55-3c1f8f6f2a11';

export const Meta = z
  .object({
    api_version: z.iso.date().describe('Dated version that handled the request').meta({ example: CURRENT_VERSION }),
    request_id: z.uuid().describe('Id of the request').meta({ example: EXAMPLE_REQUEST_ID }),
  })
  .meta({ id: 'Meta' });

const ErrorEnvelope = z
  .object({
    success: z.literal(false),
    error: z.object({
      code: z.enum(CODES as [ErrorCode, ...ErrorCode[]]),
      message: z.string().describe('What is wrong, in words'),
      details: z
        .array(
          z.object({
            field: z.string().describe('JSON path of the field').meta({ example: 'lines[0].quantity' }),
            issue: z.string().describe('The problem').meta({ example: 'is required' }),
          }),
        )
        .optional()
        .describe('The fields that are meant'),
      request_id: z.uuid(),
      documentation_url: z.url().describe('Page about the code'),
      migration_guide_url: z.url().optional().describe('With GONE: what to use instead'),
    }),
    meta: Meta,
  })
  .meta({ id: 'ErrorEnvelope' });

/** The codes that the HTTP server answers before it knows the path: too much header, too slow a body. */
const OF_THE_SERVER = CODES.filter((code) => [408, 431].includes(ERROR_STATUS[code]));

/** The codes that follow from what an endpoint is, and those that it names itself; sorted as in the error table. */
export function errorCodesOf(endpoint: Endpoint): ErrorCode[] {
  const { auth, method, body, parameters, deprecation } = endpoint;
  const codes = new Set<ErrorCode>([
    ...OF_THE_SERVER,
    'METHOD_NOT_ALLOWED',
    'INTERNAL_ERROR',
    ...(endpoint.errors ?? []),
  ]);
  const add = (...more: ErrorCode[]): void => {
    for (const code of more) codes.add(code);
  };
  if (endpoint.versioned) add('BAD_REQUEST', 'VALIDATION_ERROR', 'SERVICE_UNAVAILABLE');
  if (auth.length > 0) add('UNAUTHORIZED', 'RATE_LIMITED');
  if (auth.includes('jwt') || auth.includes('oauth')) add('TOKEN_EXPIRED');
  if (auth.includes('api_key') || auth.includes('bearer_key')) add('INVALID_API_KEY', 'IP_NOT_ALLOWED');
  // Document AI: its sandbox is for keys of the environment testing.
  if (auth.includes('bearer_key')) add('FORBIDDEN');
  if (endpoint.scoped) add('SCOPE_REQUIRED');
  if (parameters?.some((parameter) => parameter.in === 'path')) add('NOT_FOUND');
  if (takesIdempotencyKey(endpoint)) add('CONFLICT', 'IDEMPOTENCY_CONFLICT');
  if (body !== undefined || (method !== 'get' && method !== 'delete'))
    add('PAYLOAD_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE');
  if (deprecation !== undefined && deprecation !== 'inner actions') add('GONE');
  return CODES.filter((code) => codes.has(code));
}

/** The codes by their HTTP status, ascending. */
export function byStatus(codes: readonly ErrorCode[]): [number, ErrorCode[]][] {
  return [...Map.groupBy(codes, (code) => ERROR_STATUS[code])].sort(([a], [b]) => a - b);
}

/** The error envelope with one of these codes. */
export function errorSchema(codes: readonly ErrorCode[], schemas: SchemaCollector): JsonSchema {
  // All fields are named, not `code` alone: a validator that closes each part of an allOf would refuse the others.
  const fields = Object.fromEntries(Object.keys(ErrorEnvelope.shape.error.shape).map((name) => [name, {}]));
  const narrowed = { type: 'object', properties: { ...fields, code: { type: 'string', enum: [...codes] } } };
  return {
    allOf: [schemas.use(ErrorEnvelope, 'output'), { type: 'object', properties: { error: narrowed } }],
  };
}

export function errorExampleRefs(codes: readonly ErrorCode[]): Record<string, { $ref: string }> {
  return Object.fromEntries(codes.map((code) => [code, { $ref: `#/components/examples/${code}` }]));
}

/** One example per code: `components.examples`. */
export function errorExamples(publicUrl: string): Record<string, unknown> {
  return Object.fromEntries(
    CODES.map((code) => {
      const { message, ...more } = EXAMPLES[code] ?? { message: code.replaceAll('_', ' ').toLowerCase() };
      const error = {
        code,
        message,
        ...more,
        request_id: EXAMPLE_REQUEST_ID,
        documentation_url: `${publicUrl}/docs/errors/${code}`,
        ...(code === 'GONE' ? { migration_guide_url: `${publicUrl}/docs/migrations/v1-to-v2` } : {}),
      };
      const meta = { api_version: CURRENT_VERSION, request_id: EXAMPLE_REQUEST_ID };
      return [code, { summary: message.split(/[.;:]/)[0], value: { success: false, error, meta } }];
    }),
  );
}

const field = (name: string, issue: string) => ({
  message: `${name}: ${issue}`,
  details: [{ field: name, issue }],
});

const EXAMPLES: Readonly<
  Partial<Record<ErrorCode, { message: string; details?: { field: string; issue: string }[] }>>
> = {
  BAD_REQUEST: field('title', 'is required'),
  VALIDATION_ERROR: field('limit', 'Too big: expected number to be <=500'),
  INVALID_ACTION: { message: 'There is no action "create-workitem". Did you mean create-work-item?' },
  UNAUTHORIZED: { message: 'Authentication is missing: send an API key in the header X-API-Key.' },
  TOKEN_EXPIRED: { message: 'The access token has expired.' },
  INVALID_API_KEY: { message: 'The API key is malformed.' },
  FORBIDDEN: { message: 'Your role does not allow this.' },
  IP_NOT_ALLOWED: { message: 'The API key may not be used from this address.' },
  SCOPE_REQUIRED: { message: 'This call needs the scope work_items:write.' },
  TIER_RESTRICTED: { message: 'Your finance tier does not include bills.' },
  NOT_FOUND: { message: 'There is no webhook 4711.' },
  METHOD_NOT_ALLOWED: { message: 'PUT is not supported here; use GET, POST, HEAD, OPTIONS.' },
  CONFLICT: { message: 'The first request with this Idempotency-Key is still running.' },
  IDEMPOTENCY_CONFLICT: { message: 'The Idempotency-Key was used with another request.' },
  GONE: { message: 'get-work-items ended on Thu, 01 Jul 2027 00:00:00 GMT. Use list-work-items.' },
  PAYLOAD_TOO_LARGE: { message: 'The body is larger than 1048576 bytes.' },
  UNSUPPORTED_MEDIA_TYPE: { message: 'The body must be JSON: send Content-Type: application/json.' },
  UNPROCESSABLE_ENTITY: { message: 'A rule of the business forbids this.' },
  RATE_LIMITED: { message: 'The limit of 100 requests per 60 seconds is used up.' },
  INTERNAL_ERROR: { message: 'An unexpected error occurred.' },
  SERVICE_UNAVAILABLE: { message: 'The service is temporarily unavailable; try again shortly.' },
  GATEWAY_TIMEOUT: { message: 'The document takes longer than 30 seconds; fetch its result later.' },
};
