import { z } from 'zod';
import { emailField, Moment } from './common.ts';
import { EVENT_NAMES } from './event-names.ts';
import { PayloadTemplate } from './payload-templates.ts';
import { ITEM_TYPES } from './work-items.ts';

export const AUTH_TYPES = ['hmac', 'bearer', 'basic', 'none'] as const;
export type AuthType = (typeof AUTH_TYPES)[number];

/** Whether a webhook's deliveries of one work item wait for each other. */
export const ORDERINGS = ['none', 'per_item'] as const;
export type Ordering = (typeof ORDERINGS)[number];

export const HTTP_METHODS = ['POST', 'PUT', 'PATCH'] as const;

export const VERIFICATION_STATUSES = ['pending', 'verified', 'failed'] as const;

/** Why we switched a webhook off. */
export const DISABLED_REASONS = ['gone', 'failing'] as const;
export type DisabledReason = (typeof DISABLED_REASONS)[number];

/** Date that names the shape of payloads; `latest` is the newest of them. */
export const PAYLOAD_VERSION = '2026-07-01';
const PayloadVersion = z.enum(['latest', PAYLOAD_VERSION]);

/** Name of an event, a customer's own included. */
export const EventName = z
  .string()
  .max(100)
  .meta({ anyOf: [{ enum: [...EVENT_NAMES] }, { pattern: '^custom\\.[a-z0-9_]+(\\.[a-z0-9_]+)*$' }] });

const flatFilter = (description: string) => z.string().trim().min(1).max(100).nullable().describe(description);

/** What of a webhook can be set at any time. */
const settings = {
  name: z.string().trim().min(1).max(200).describe('Name of the webhook').meta({ example: 'ERP sync' }),
  description: z.string().max(1_000).nullable().describe('What the webhook is for'),
  endpoint_url: z
    .string()
    .max(2_048)
    .describe('Address that receives the events: http or https, without user name and password')
    .meta({ example: 'https://erp.example.com/hooks/business' }),
  http_method: z.enum(HTTP_METHODS).describe('HTTP method of each send'),
  events: z
    .array(EventName)
    .min(1)
    .max(200)
    .describe('Names of the events to receive; see available_events of the list of webhooks')
    .meta({ example: ['job.created', 'job.completed'] }),
  auth_type: z.enum(AUTH_TYPES).describe('How a send proves where it comes from; hmac is recommended'),
  auth_credentials: z
    .string()
    .min(1)
    .max(4_096)
    .nullable()
    .describe('bearer: the token. basic: user:password, or its base64. Stored encrypted, never returned'),
  custom_headers: z
    .record(z.string().max(100), z.string().max(2_048))
    .describe('Headers added to each send; they cannot replace ours nor Host')
    .meta({ example: { 'x-tenant': 'north' } }),
  item_type_filter: z.enum(ITEM_TYPES).nullable().describe('Only events of work items of this type'),
  item_subtype_filter: flatFilter('Only events of work items of this subtype'),
  status_filter: flatFilter('Only events of work items with this status'),
  filter: z
    .record(z.string(), z.unknown())
    .nullable()
    .describe(
      'Only events whose payload meets this condition: dot paths with a value or with $eq $ne $in $gt $gte $lt $lte $exists, joined by $and $or $not',
    )
    .meta({ example: { 'data.work_item.priority': { $in: ['high', 'urgent'] } } }),
  ordering: z
    .enum(ORDERINGS)
    .describe(
      'per_item: the deliveries of one work item go one after the other, in order; a failing one holds up the next',
    ),
  rate_limit_per_second: z.int().min(1).max(1_000).nullable().describe('Most sends a second; null: no limit of yours'),
  retry_count: z.int().min(0).max(5).describe('Retries after the first send').meta({ example: 3 }),
  retry_delay_seconds: z
    .int()
    .min(0)
    .max(3_600)
    .describe('0: 1 s, 5 s, 30 s, 2 min, 10 min. 1 to 3600: this delay before each retry')
    .meta({ example: 60 }),
  timeout_seconds: z.int().min(1).max(30).describe('Longest wait for an answer').meta({ example: 30 }),
  is_active: z.boolean().describe('Whether events are sent'),
  payload_version: PayloadVersion.describe('Version of the payload').meta({ example: 'latest' }),
  payload_template: PayloadTemplate.nullable().describe('How the payload is made; null: the default payload'),
  ed25519_enabled: z
    .boolean()
    .describe('auth_type hmac: also sign with ed25519, so that receivers check with a public key alone'),
  dlq_alert_enabled: z.boolean().describe('E-mail when too many deliveries are dead-lettered'),
  dlq_alert_threshold: z.int().min(1).max(10_000).describe('Dead letters in 24 hours that are too many'),
  dlq_alert_email: emailField('Who is alerted')
    .nullable()
    .describe("Who is alerted; null: the webhook's creator")
    .meta({ example: 'ops@kruger.example' }),
};

export const CreateWebhook = z.strictObject({
  name: settings.name,
  description: settings.description.default(null),
  endpoint_url: settings.endpoint_url,
  http_method: settings.http_method.default('POST'),
  events: settings.events,
  auth_type: settings.auth_type.default('hmac'),
  auth_credentials: settings.auth_credentials.default(null),
  custom_headers: settings.custom_headers.default({}),
  item_type_filter: settings.item_type_filter.default(null),
  item_subtype_filter: settings.item_subtype_filter.default(null),
  status_filter: settings.status_filter.default(null),
  filter: settings.filter.default(null),
  ordering: settings.ordering.default('none'),
  rate_limit_per_second: settings.rate_limit_per_second.default(null),
  retry_count: settings.retry_count.default(5),
  retry_delay_seconds: settings.retry_delay_seconds.default(0),
  timeout_seconds: settings.timeout_seconds.default(30),
  is_active: settings.is_active.default(true),
  require_verification: z
    .boolean()
    .default(false)
    .describe(
      'Send a webhook.verification event first and nothing else until the endpoint has echoed its challenge; for good: no later change switches it on or off',
    ),
  payload_version: settings.payload_version.default('latest'),
  payload_template: settings.payload_template.default(null),
  ed25519_enabled: settings.ed25519_enabled.default(false),
  dlq_alert_enabled: settings.dlq_alert_enabled.default(false),
  dlq_alert_threshold: settings.dlq_alert_threshold.default(10),
  dlq_alert_email: settings.dlq_alert_email.default(null),
});
export type CreateWebhookInput = z.output<typeof CreateWebhook>;

export const UpdateWebhook = z.strictObject(settings).partial();
export type UpdateWebhookInput = z.output<typeof UpdateWebhook>;

/** Subscribed to or not, any event can be tried. */
export const TestWebhook = z.strictObject({
  event: EventName.default('webhook.test').describe('Which event to send').meta({ example: 'job.created' }),
  data: z
    .record(z.string(), z.unknown())
    .optional()
    .describe('Its data; left out: the sample of that event')
    .meta({ example: { hello: 'world' } }),
});
export type TestWebhookInput = z.output<typeof TestWebhook>;

/** What came back from a test. */
export const WebhookTestResult = z
  .object({
    delivery_id: z.int().describe('Id of the test in the delivery log'),
    event_id: z.uuid(),
    event: z.string().meta({ example: 'job.created' }),
    status: z.enum(['success', 'failed']),
    response_status: z.int().nullable().describe('HTTP status of the answer; null when none came'),
    response_body: z.string().nullable().describe('First 4 KiB of the answer'),
    duration_ms: z.int().nullable(),
    error: z.string().nullable().describe('Why it failed; null on success'),
  })
  .meta({ id: 'WebhookTestResult' });
export type WebhookTestResult = z.output<typeof WebhookTestResult>;

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
    filter: z.record(z.string(), z.unknown()).nullable().describe('Condition on the payload'),
    ordering: z.enum(ORDERINGS),
    rate_limit_per_second: z.int().nullable(),
    retry_count: z.int(),
    retry_delay_seconds: z.int(),
    timeout_seconds: z.int(),
    is_active: z.boolean(),
    disabled_at: Moment.nullable().describe('When we switched it off; null when we did not'),
    disabled_reason: z
      .enum(DISABLED_REASONS)
      .nullable()
      .describe('gone: the endpoint answered 410. failing: 20 deliveries in a row failed over a day or more'),
    breaker: z
      .object({
        state: z.enum(['closed', 'open']).describe('open: first sends wait, but for a probe every 30 s'),
        opened_at: Moment.nullable(),
      })
      .describe('Circuit breaker: opens after 10 failed sends in a row, closes with the next success'),
    require_verification: z.boolean().describe('Whether a new endpoint_url must echo a challenge first'),
    verification_status: z.enum(VERIFICATION_STATUSES),
    verified_at: Moment.nullable(),
    last_triggered_at: Moment.nullable(),
    last_success_at: Moment.nullable(),
    last_failure_at: Moment.nullable(),
    success_count: z.int().describe('Deliveries that succeeded'),
    failure_count: z.int().describe('Sends that failed'),
    payload_version: PayloadVersion.meta({ example: 'latest' }),
    payload_template: PayloadTemplate.nullable(),
    ed25519_enabled: z.boolean(),
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
