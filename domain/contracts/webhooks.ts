import { z } from 'zod';
import { Moment } from './common.ts';
import { EVENT_NAMES } from './event-names.ts';

export const AUTH_TYPES = ['hmac', 'bearer', 'basic', 'none'] as const;
export type AuthType = (typeof AUTH_TYPES)[number];

export const HTTP_METHODS = ['POST', 'PUT', 'PATCH'] as const;

/** Statuses of a delivery: the spec's four, and where a dead letter ends. */
export const DELIVERY_STATUSES = ['pending', 'retrying', 'success', 'failed', 'expired'] as const;
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number];

export const VERIFICATION_STATUSES = ['pending', 'verified', 'failed'] as const;

/** Date that names the shape of payloads; `latest` is the newest of them. */
export const PAYLOAD_VERSION = '2026-07-01';
const PayloadVersion = z.enum(['latest', PAYLOAD_VERSION]);

const filter = (description: string) =>
  z.string().trim().min(1).max(100).nullable().default(null).describe(description);

export const CreateWebhook = z.strictObject({
  name: z.string().trim().min(1).max(200).describe('Name of the webhook').meta({ example: 'ERP sync' }),
  description: z.string().max(1_000).nullable().default(null).describe('What the webhook is for'),
  endpoint_url: z
    .string()
    .max(2_048)
    .describe('Address that receives the events: http or https, without user name and password')
    .meta({ example: 'https://erp.example.com/hooks/business' }),
  http_method: z.enum(HTTP_METHODS).default('POST').describe('HTTP method of each send'),
  events: z
    .array(
      z
        .string()
        .max(100)
        .meta({ anyOf: [{ enum: [...EVENT_NAMES] }, { pattern: '^custom\\.[a-z0-9_]+(\\.[a-z0-9_]+)*$' }] }),
    )
    .min(1)
    .max(200)
    .describe('Names of the events to receive; see available_events')
    .meta({ example: ['job.created', 'job.completed'] }),
  auth_type: z.enum(AUTH_TYPES).default('hmac').describe('How a send proves where it comes from; hmac is recommended'),
  auth_credentials: z
    .string()
    .min(1)
    .max(4_096)
    .nullable()
    .default(null)
    .describe('bearer: the token. basic: user:password, or its base64. Stored encrypted, never returned'),
  custom_headers: z
    .record(z.string().max(100), z.string().max(2_048))
    .default({})
    .describe('Headers added to each send; they cannot replace ours nor Host')
    .meta({ example: { 'x-tenant': 'north' } }),
  item_type_filter: filter('Only events of work items of this type'),
  item_subtype_filter: filter('Only events of work items of this subtype'),
  status_filter: filter('Only events of work items with this status'),
  retry_count: z.int().min(0).max(5).default(5).describe('Retries after the first send').meta({ example: 3 }),
  retry_delay_seconds: z
    .int()
    .min(0)
    .max(3_600)
    .default(0)
    .describe('0: 1 s, 5 s, 30 s, 2 min, 10 min. 1 to 3600: this delay before each retry')
    .meta({ example: 60 }),
  timeout_seconds: z.int().min(1).max(30).default(30).describe('Longest wait for an answer').meta({ example: 30 }),
  is_active: z.boolean().default(true).describe('Whether events are sent'),
  require_verification: z
    .boolean()
    .default(false)
    .describe('Send a webhook.verification event first and nothing else until the endpoint has echoed its challenge'),
  payload_version: PayloadVersion.default('latest').describe('Version of the payload').meta({ example: 'latest' }),
  dlq_alert_enabled: z.boolean().default(false).describe('E-mail when too many deliveries are dead-lettered'),
  dlq_alert_threshold: z.int().min(1).max(1_000_000).default(10).describe('Dead letters in 24 hours that are too many'),
});
export type CreateWebhookInput = z.output<typeof CreateWebhook>;

/** A webhook as every read shows it (spec, "Outbound webhook"). */
export const WebhookView = z
  .object({
    id: z.int(),
    name: z.string().meta({ example: 'ERP sync' }),
    description: z.string().nullable(),
    endpoint_url: z.string().meta({ example: 'https://erp.example.com/hooks/business' }),
    http_method: z.enum(HTTP_METHODS),
    auth_type: z.enum(AUTH_TYPES),
    auth_credentials: z.string().nullable().describe('Masked; null when there are none'),
    custom_headers: z.record(z.string(), z.string()),
    events: z.array(z.string()).meta({ example: ['job.created', 'job.completed'] }),
    item_type_filter: z.string().nullable(),
    item_subtype_filter: z.string().nullable(),
    status_filter: z.string().nullable(),
    retry_count: z.int(),
    retry_delay_seconds: z.int(),
    timeout_seconds: z.int(),
    is_active: z.boolean(),
    verification_status: z.enum(VERIFICATION_STATUSES),
    verified_at: Moment.nullable(),
    last_triggered_at: Moment.nullable(),
    last_success_at: Moment.nullable(),
    last_failure_at: Moment.nullable(),
    success_count: z.int().describe('Deliveries that succeeded'),
    failure_count: z.int().describe('Sends that failed'),
    payload_version: z.string().meta({ example: 'latest' }),
    payload_template: z.record(z.string(), z.unknown()).nullable(),
    current_key_version: z.int().describe('Version of the signing key'),
    grace_period_ends_at: Moment.nullable(),
    dlq_alert_enabled: z.boolean(),
    dlq_alert_threshold: z.int(),
    dlq_alert_email: z.string().nullable().describe("null means the creator's e-mail"),
    created_by_user_id: z.int(),
    created_at: Moment,
    updated_at: Moment,
    secret_key: z
      .string()
      .describe('Signing secret, masked to its first 10 characters')
      .meta({ example: 'whsec_Ab3d...' }),
  })
  .meta({ id: 'Webhook' });
export type WebhookView = z.output<typeof WebhookView>;

const offset = z.coerce.number().int().min(0).max(1_000_000).default(0).describe('How many to skip');

export const ListDeliveries = z.strictObject({
  status: z.enum(DELIVERY_STATUSES).optional().describe('Only deliveries with this status'),
  event: z.string().max(100).optional().describe('Only deliveries of this event'),
  from: z.iso.datetime({ offset: true }).optional().describe('Created at or after'),
  to: z.iso.datetime({ offset: true }).optional().describe('Created before'),
  search: z.string().min(1).max(200).optional().describe('Text in the error, an event id, or a delivery id'),
  limit: z.coerce.number().int().min(1).max(200).default(50).describe('How many to return'),
  offset,
});
export type ListDeliveriesInput = z.output<typeof ListDeliveries>;

/** A delivery record (spec, "work_item_webhook_deliveries"), and what decisions §7 adds. */
export const DeliveryView = z
  .object({
    id: z.int(),
    event_type: z.string().meta({ example: 'job.created' }),
    work_item_id: z.int().nullable(),
    response_status: z.int().nullable().describe('HTTP status of the last answer; null when none came'),
    status: z.enum(DELIVERY_STATUSES),
    error_message: z.string().nullable(),
    duration_ms: z.int().nullable(),
    attempt_number: z.int().min(1).max(5),
    created_at: Moment,
    delivered_at: Moment.nullable(),
    event_id: z.uuid(),
    round: z.int().describe('1, and one more for each replay'),
    sends: z.int().describe('HTTP requests made in this round'),
    next_attempt_at: Moment.nullable(),
    dlq_at: Moment.nullable(),
    dlq_reason: z.string().nullable(),
  })
  .meta({ id: 'WebhookDelivery' });
export type DeliveryView = z.output<typeof DeliveryView>;

export const DeliveryAttemptView = z
  .object({
    round: z.int(),
    send_number: z.int(),
    at: Moment,
    duration_ms: z.int(),
    response_status: z.int().nullable(),
    response_body: z.string().nullable().describe('First 4 KiB'),
    error_message: z.string().nullable(),
  })
  .meta({ id: 'WebhookDeliveryAttempt' });
export type DeliveryAttemptView = z.output<typeof DeliveryAttemptView>;

export const DeliveryDetail = DeliveryView.extend({
  request: z
    .object({
      method: z.string(),
      url: z.string(),
      headers: z.record(z.string(), z.string()).describe('Without credentials and signatures'),
      body: z.string(),
    })
    .describe('What is sent'),
  attempts: z.array(DeliveryAttemptView).describe('Each HTTP request and its answer, oldest first'),
}).meta({ id: 'WebhookDeliveryDetail' });
export type DeliveryDetail = z.output<typeof DeliveryDetail>;
