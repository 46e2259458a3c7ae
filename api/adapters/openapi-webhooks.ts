import { EVENT_FAMILIES } from '../../domain/contracts/event-catalogue.ts';
import type { EventFamily } from '../../domain/contracts/event-catalogue.ts';
import { CUSTOM_EVENTS, VERIFICATION_EVENT } from '../../domain/contracts/event-names.ts';
import { ExtractionCompletedEvent, ExtractionFailedEvent } from '../../domain/contracts/vision-events.ts';
import { PAYLOAD_VERSION } from '../../domain/contracts/webhooks.ts';
import { descriptionOf, samplePayload } from '../../domain/webhooks/index.ts';
import type { JsonSchema } from './action-schema.ts';
import { closed } from './openapi-answers.ts';
import type { SchemaCollector } from './schema-collector.ts';

export const WEBHOOK_TAG = 'Outbound webhooks';

const SIGNATURE = '^sha256=[0-9a-f]{64}$';

interface SentHeader {
  name: string;
  description: string;
  schema: JsonSchema;
  required?: boolean;
}

/** The headers of every send (decisions §7). */
const SEND_HEADERS: readonly SentHeader[] = [
  {
    name: 'Idempotency-Key',
    description: '`evt_` and the id of the event: the same on every send of it',
    schema: { type: 'string', pattern: '^evt_' },
    required: true,
  },
  { name: 'X-Webhook-Event', description: 'Name of the event', schema: { type: 'string' }, required: true },
  { name: 'X-Webhook-Delivery', description: 'Id of the delivery', schema: { type: 'integer' }, required: true },
  {
    name: 'X-Webhook-Attempt',
    description: '1 for the first send',
    schema: { type: 'integer', minimum: 1 },
    required: true,
  },
  {
    name: 'X-Webhook-Timestamp',
    description: 'When it was sent, seconds since 1970',
    schema: { type: 'integer' },
    required: true,
  },
  {
    name: 'X-Webhook-Test',
    description: '`true` on a test of the webhook, whose data is made up; absent on all else',
    schema: { type: 'string', const: 'true' },
  },
  {
    name: 'X-Service-Signature',
    description: '`sha256=` and the HMAC-SHA256 of the raw body in hex, keyed by the signing secret (auth_type hmac)',
    schema: { type: 'string', pattern: SIGNATURE },
  },
];

/** Of a webhook with auth_type hmac; a Document AI callback has none of them. */
const HMAC_HEADERS: readonly SentHeader[] = [
  {
    name: 'X-Service-Signature-Previous',
    description: 'The same by the old key, during the grace period of a rotation',
    schema: { type: 'string', pattern: SIGNATURE },
  },
  {
    name: 'X-Webhook-Key-Version',
    description: 'Versions of the keys that signed, the newest first',
    schema: { type: 'string', examples: ['2,1'] },
  },
  { name: 'webhook-id', description: 'Standard Webhooks: id of the message', schema: { type: 'string' } },
  { name: 'webhook-timestamp', description: 'Standard Webhooks: seconds since 1970', schema: { type: 'integer' } },
  {
    name: 'webhook-signature',
    description: 'Standard Webhooks: `v1,` and the base64 HMAC-SHA256 of `id.timestamp.body`, one per valid key',
    schema: { type: 'string' },
  },
];

/** What is sent to customers: the `webhooks` object of OpenAPI 3.1. */
export function webhookDescriptions(schemas: SchemaCollector): Record<string, unknown> {
  const callback: JsonSchema = {
    anyOf: [ExtractionCompletedEvent, ExtractionFailedEvent].map((schema) => schemas.use(schema, 'output')),
  };
  return {
    ...Object.fromEntries(EVENT_FAMILIES.map((family) => [family.id, describeFamily(family, schemas)])),
    'document-ai-callback': describe('document-ai-callback', 'An extraction ended', SEND_HEADERS, {
      schema: callback,
      examples: { completed: { value: samplePayload('vision.extract.completed')?.['data'] } },
    }),
  };
}

/** Events whose `data` has one shape: when each happens, and a sample of the first. */
function describeFamily({ id, summary, events, data }: EventFamily, schemas: SchemaCollector): Record<string, unknown> {
  const name: JsonSchema = events.includes(CUSTOM_EVENTS)
    ? { type: 'string', pattern: '^custom\\.[a-z0-9_]+(\\.[a-z0-9_]+)*$' }
    : { type: 'string', enum: [...events] };
  const [first = ''] = events;
  const sampled = first === CUSTOM_EVENTS ? 'custom.order.shipped' : first;
  const isVerification = first === VERIFICATION_EVENT;
  return describe(id, summary, [...SEND_HEADERS, ...HMAC_HEADERS], {
    schema: payloadSchema(name, schemas.use(data, 'output')),
    examples: { [sampled]: { value: samplePayload(sampled) } },
    events: events.map((event) => `- \`${event}\`: ${descriptionOf(event) ?? ''}`),
    ...(isVerification ? { answer: closed({ challenge: { type: 'string' } }) } : {}),
  });
}

/** The default payload (spec, "Events"); a payload template of the webhook may reshape it. */
function payloadSchema(event: JsonSchema, data: JsonSchema): JsonSchema {
  return closed({
    event,
    version: { type: 'string', const: PAYLOAD_VERSION },
    timestamp: { type: 'string', format: 'date-time', description: 'When it happened' },
    data,
    metadata: closed({
      client_id: { type: 'integer' },
      event_id: { type: 'string', format: 'uuid' },
      delivery_id: { type: 'integer' },
      webhook_id: { type: 'integer' },
    }),
  });
}

interface Sent {
  schema: JsonSchema;
  examples: Record<string, { value: unknown }>;
  /** A line for each event. */
  events?: readonly string[];
  /** What the receiver answers with, where that matters. */
  answer?: JsonSchema;
}

function describe(
  operationId: string,
  summary: string,
  headers: readonly SentHeader[],
  { schema, examples, events = [], answer }: Sent,
): Record<string, unknown> {
  const sent = `${summary}: sent to your endpoint, at least once. Any 2xx says that it arrived; anything else is tried again up to five times.`;
  return {
    post: {
      operationId,
      summary,
      description: [sent, events.join('\n')].filter((part) => part !== '').join('\n\n'),
      tags: [WEBHOOK_TAG],
      security: [],
      parameters: headers.map(({ name, description, schema: type, required = false }) => ({
        name,
        in: 'header',
        required,
        description,
        schema: type,
      })),
      requestBody: { required: true, content: { 'application/json': { schema, examples } } },
      responses: {
        '200': {
          description: 'It arrived; any other 2xx says the same',
          ...(answer === undefined ? {} : { content: { 'application/json': { schema: answer } } }),
        },
        '410': { description: 'The endpoint is gone: the webhook is set inactive' },
      },
    },
  };
}
