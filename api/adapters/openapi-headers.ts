import { CURRENT_VERSION, FIRST_VERSION } from '../versions.ts';
import type { Endpoint } from './openapi-model.ts';

interface Header {
  description: string;
  required?: true;
  schema: Record<string, unknown>;
}

const text = (description: string, example: string, more: Record<string, unknown> = {}): Header => ({
  description,
  schema: { type: 'string', ...more, examples: [example] },
});
const whole = (description: string, example: number): Header => ({
  description,
  schema: { type: 'integer', minimum: 0, examples: [example] },
});

/** Every header that an answer may carry: `components.headers`. */
export const HEADERS = {
  'X-Request-Id': {
    ...text('Id of the request, also in the body', '0b8f5f0e-5d0c-4f4e-9a55-3c1f8f6f2a11', { format: 'uuid' }),
    required: true,
  },
  'X-API-Version': {
    ...text('Dated version that handled the request, also in meta.api_version', CURRENT_VERSION, { format: 'date' }),
    required: true,
  },
  'X-Correlation-Id': text("The caller's own X-Request-Id, where it is 1 to 128 printable characters", 'order-4711'),
  'X-RateLimit-Limit': whole('Requests that the caller may make in a minute', 100),
  'X-RateLimit-Remaining': whole('Requests left in the current minute', 87),
  'X-RateLimit-Reset': text('When the minute ends (ISO 8601, UTC)', '2026-11-21T08:30:00.000Z', {
    format: 'date-time',
  }),
  RateLimit: text('What is left, as draft-ietf-httpapi-ratelimit-headers has it', '"default";r=87;t=42'),
  'RateLimit-Policy': text('The limits in force, per minute and per second', '"default";q=100;w=60, "burst";q=20;w=1'),
  'Retry-After': whole('Seconds to wait before the next try', 1),
  'Idempotency-Replayed': {
    description: 'The answer is that of an earlier request with the same Idempotency-Key',
    schema: { type: 'string', const: 'true' },
  },
  'WWW-Authenticate': text('How to authenticate', 'Bearer'),
  Location: text('Where to go on', '/login?request=0b8f5f0e-5d0c-4f4e-9a55-3c1f8f6f2a11.mY3k'),
  ETag: text('Names these very bytes, for If-None-Match', '"9f86d081884c7d659a2feaa0c55ad015"'),
  'Content-Disposition': text('The name of the file (RFC 6266)', 'attachment; filename="report.pdf"'),
  Allow: text('The methods that the path has', 'GET, HEAD, OPTIONS'),
  Deprecation: { description: 'The operation or action is deprecated', schema: { type: 'string', const: 'true' } },
  Sunset: text('HTTP date after which a deprecated operation or action answers 410', 'Thu, 01 Jul 2027 00:00:00 GMT'),
  Link: text(
    'The migration guide of a deprecated operation or action',
    '</docs/migrations/v1-to-v2>; rel="deprecation"',
  ),
  'Access-Control-Allow-Origin': text(
    '`*` for requests with an API key, the origin itself for a known one with a bearer token',
    '*',
  ),
  'Access-Control-Allow-Credentials': {
    description: 'Only with a bearer token and a known origin',
    schema: { type: 'string', const: 'true' },
  },
  'Access-Control-Expose-Headers': text(
    'Headers that a script in a browser may read',
    'X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset',
  ),
} as const satisfies Record<string, Header>;

type HeaderName = keyof typeof HEADERS;

const ALWAYS: readonly HeaderName[] = [
  'X-Request-Id',
  'X-API-Version',
  'X-Correlation-Id',
  'Access-Control-Allow-Origin',
  'Access-Control-Allow-Credentials',
  'Access-Control-Expose-Headers',
];
const OF_LIMITED: readonly HeaderName[] = [
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
  'RateLimit',
  'RateLimit-Policy',
];
const OF_STATUS: Readonly<Record<number, readonly HeaderName[]>> = {
  303: ['Location'],
  401: ['WWW-Authenticate'],
  403: ['WWW-Authenticate'],
  405: ['Allow'],
  409: ['Retry-After'],
  429: ['Retry-After'],
  503: ['Retry-After'],
};

/** What of an endpoint decides on its headers. */
type Traits = Pick<Endpoint, 'method' | 'auth' | 'limited' | 'versioned' | 'deprecation' | 'binary' | 'empty'>;

/** References to the headers that an endpoint's answer of this status may carry. */
export function headersOf(endpoint: Traits, status: number): Record<string, { $ref: string }> {
  const names: HeaderName[] = [...ALWAYS];
  const isLimited = endpoint.auth.length > 0 || endpoint.limited === true;
  // Who is refused for its key is not known, and so not counted; where no kind of `auth` is declared, addresses are.
  if (isLimited && (status !== 401 || endpoint.limited === true)) names.push(...OF_LIMITED);
  if (takesIdempotencyKey(endpoint) && status < 500) names.push('Idempotency-Replayed');
  if (endpoint.deprecation !== undefined) names.push('Deprecation', 'Sunset', 'Link');
  if (endpoint.binary === true && status < 400) names.push('ETag');
  if (endpoint.binary === true && status === 200) names.push('Content-Disposition');
  if (endpoint.empty === true && status < 400) names.push('Location');
  names.push(...(OF_STATUS[status] ?? []));
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

/** Request headers that are no credential: `components.parameters`. */
export const HEADER_PARAMETERS = {
  ApiVersion: {
    name: 'X-API-Version',
    in: 'header',
    required: false,
    description: `Dated version to answer in; the latest when left out. This document describes ${CURRENT_VERSION}; dates back to ${FIRST_VERSION} are accepted and answered as the changelog says.`,
    schema: { type: 'string', format: 'date', enum: [CURRENT_VERSION] },
  },
  RequestId: {
    name: 'X-Request-Id',
    in: 'header',
    required: false,
    description:
      'Your own id of the request, logged with it. 1 to 128 printable ASCII characters come back as X-Correlation-Id; anything else is ignored.',
    schema: { type: 'string', examples: ['order-4711'] },
  },
  IdempotencyKey: {
    name: 'Idempotency-Key',
    in: 'header',
    required: false,
    description:
      'Makes a repetition safe: within 24 hours the same key with the same method, path and body gets the first answer again; with another one it is refused (409 IDEMPOTENCY_CONFLICT).',
    schema: { type: 'string', minLength: 1, maxLength: 255, examples: ['create-job-2026-11-21-0017'] },
  },
} as const;

/** References to the header parameters of an endpoint. */
export function headerParameters(endpoint: Traits): { $ref: string }[] {
  const names: (keyof typeof HEADER_PARAMETERS)[] = ['RequestId'];
  if (endpoint.versioned) names.push('ApiVersion');
  if (takesIdempotencyKey(endpoint)) names.push('IdempotencyKey');
  return names.map((name) => ({ $ref: `#/components/parameters/${name}` }));
}

/** Every authenticated request of the API itself that changes something (decisions §10); OAuth's endpoints have rules of their own. */
export function takesIdempotencyKey({ method, auth, versioned }: Traits): boolean {
  return versioned && method !== 'get' && auth.length > 0;
}
