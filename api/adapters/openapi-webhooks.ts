import { z } from 'zod';
import { Moment } from '../../domain/contracts/common.ts';
import { ExtractResponse } from '../../domain/contracts/vision.ts';
import { PAYLOAD_VERSION } from '../../domain/contracts/webhooks.ts';
import type { JsonSchema } from './action-schema.ts';
import { closed } from './openapi-answers.ts';
import { exampleOf } from './openapi-example.ts';
import type { SchemaCollector } from './schema-collector.ts';
import { EVENT_FAMILIES, OTHER_EVENTS } from './webhook-events.ts';

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

/** A callback's data is the body itself, not wrapped in the payload of webhooks. */
const ExtractionCompleted = ExtractResponse.omit({ status: true, pages_done: true, pages_total: true })
  .extend({ event: z.literal('vision.extract.completed'), timestamp: Moment })
  .meta({ id: 'ExtractionCompleted' });
const ExtractionFailed = z
  .object({
    event: z.literal('vision.extract.failed'),
    request_id: z.uuid(),
    error: z.object({ code: z.string().meta({ example: 'ENCRYPTED' }), message: z.string() }),
    credits_used: z.number(),
    timestamp: Moment,
  })
  .meta({ id: 'ExtractionFailed' });

/** What is sent to customers: the `webhooks` object of OpenAPI 3.1. */
export function webhookDescriptions(schemas: SchemaCollector): Record<string, unknown> {
  const payload = (events: JsonSchema, data: JsonSchema): JsonSchema => payloadSchema(events, data);
  const callback: JsonSchema = {
    anyOf: [ExtractionCompleted, ExtractionFailed].map((schema) => schemas.use(schema, 'output')),
  };
  const headers = [...SEND_HEADERS, ...HMAC_HEADERS];
  return {
    ...Object.fromEntries(
      EVENT_FAMILIES.map(({ id, summary, events, data }) => {
        const schema = payload({ type: 'string', enum: [...events] }, schemas.use(data, 'output'));
        return [id, describe(id, summary, headers, schemas, { schema })];
      }),
    ),
    event: describe('event', 'Any other event', headers, schemas, {
      schema: payload(
        {
          anyOf: [
            { type: 'string', enum: [...OTHER_EVENTS] },
            { type: 'string', pattern: '^custom\\.', description: 'An event of your own' },
          ],
        },
        { type: 'object', description: 'What the event is about' },
      ),
    }),
    'webhook-verification': describe('webhook-verification', 'Prove that the endpoint is yours', headers, schemas, {
      schema: payload(
        { type: 'string', const: 'webhook.verification' },
        closed({ challenge: { type: 'string', description: 'Answer 2xx with `{"challenge": …}`, the same text' } }),
      ),
      answer: closed({ challenge: { type: 'string' } }),
    }),
    'document-ai-callback': describe('document-ai-callback', 'An extraction ended', SEND_HEADERS, schemas, {
      schema: callback,
    }),
  };
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

function describe(
  operationId: string,
  summary: string,
  headers: readonly SentHeader[],
  schemas: SchemaCollector,
  { schema, answer }: { schema: JsonSchema; answer?: JsonSchema },
): Record<string, unknown> {
  const json = (of: JsonSchema) => ({
    'application/json': { schema: of, examples: { default: { value: exampleOf(of, schemas) } } },
  });
  return {
    post: {
      operationId,
      summary,
      description: `${summary}: sent to your endpoint, at least once. Any 2xx says that it arrived; anything else is tried again up to five times.`,
      tags: [WEBHOOK_TAG],
      security: [],
      parameters: headers.map(({ name, description, schema: type, required = false }) => ({
        name,
        in: 'header',
        required,
        description,
        schema: type,
      })),
      requestBody: { required: true, content: json(schema) },
      responses: {
        '200': {
          description: 'It arrived; any other 2xx says the same',
          ...(answer === undefined ? {} : { content: json(answer) }),
        },
        '410': { description: 'The endpoint is gone: the webhook is set inactive' },
      },
    },
  };
}
