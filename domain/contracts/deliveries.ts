import { z } from 'zod';
import { bigIdField, dateOrMomentField, Moment, windowFields } from './common.ts';

/** Statuses of a delivery: the spec's four, and where a dead letter ends. */
export const DELIVERY_STATUSES = ['pending', 'retrying', 'success', 'failed', 'expired'] as const;
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number];

/** Dead letters that one call names, or replays at once. */
export const MAX_REPLAYED_AT_ONCE = 1_000;
/** How far back a recovery may look: events are kept no longer. */
export const MAX_RECOVERY_DAYS = 90;

const eventName = z.string().min(1).max(100);
const dryRun = z.boolean().default(false).describe('Change nothing, only answer how many it would be');

export const ListDeliveries = z.strictObject({
  status: z
    .enum(DELIVERY_STATUSES)
    .optional()
    .describe('Only deliveries with this status; failed ones are in the dead-letter queue'),
  event: eventName.optional().describe('Only deliveries of this event').meta({ example: 'job.created' }),
  from: dateOrMomentField('Created at or after').optional(),
  to: dateOrMomentField('Created before').optional(),
  search: z
    .string()
    .min(1)
    .max(200)
    .optional()
    .describe('An event id, a delivery id, or text in the error of one of the newest 2,000 that did not succeed'),
  ...windowFields(50, 200),
});
export type ListDeliveriesInput = z.output<typeof ListDeliveries>;

export const DLQ_ORDERS = ['newest', 'oldest'] as const;

export const ListDeadLetters = z.strictObject({
  event: eventName.optional().describe('Only dead letters of this event').meta({ example: 'job.created' }),
  from: dateOrMomentField('Dead-lettered at or after').optional(),
  to: dateOrMomentField('Dead-lettered before').optional(),
  order: z.enum(DLQ_ORDERS).default('newest').describe('Which come first, by when they were dead-lettered'),
  ...windowFields(50, 200),
});
export type ListDeadLettersInput = z.output<typeof ListDeadLetters>;

export const ReplayDeadLetters = z.strictObject({
  ids: z
    .array(bigIdField('Id of a delivery'))
    .min(1)
    .max(MAX_REPLAYED_AT_ONCE)
    .optional()
    .describe('Ids of the deliveries to replay; or give from and to'),
  from: dateOrMomentField('Dead-lettered at or after; needs to').optional(),
  to: dateOrMomentField('Dead-lettered before; needs from').optional(),
  event: eventName.optional().describe('With from and to: only dead letters of this event'),
  dry_run: dryRun,
});
export type ReplayDeadLettersInput = z.output<typeof ReplayDeadLetters>;

export const RecoverWebhook = z.strictObject({
  since: dateOrMomentField('Resend what failed or was missed since; at most 90 days back').meta({
    example: '2026-11-21T06:00:00Z',
  }),
  dry_run: dryRun,
});
export type RecoverWebhookInput = z.output<typeof RecoverWebhook>;

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
    is_test: z.boolean().describe('Made by test-webhook: sent once, never retried or replayed'),
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
    .describe('The last request as it was sent, or the one that is about to be'),
  attempts: z.array(DeliveryAttemptView).describe('Each HTTP request and its answer, oldest first'),
}).meta({ id: 'WebhookDeliveryDetail' });
export type DeliveryDetail = z.output<typeof DeliveryDetail>;

export const ReplayAnswer = z
  .object({
    dry_run: z.boolean(),
    matched: z.int().describe('Dead letters that the request is about, counted up to 10,000'),
    matched_is_exact: z.boolean().describe('false: there are more than were counted'),
    replayed: z.int().describe('How many of them are on their way again'),
    skipped_ids: z.array(z.int()).describe("Of the given ids, those that are not in this webhook's dead-letter queue"),
    recovery_id: z.uuid().nullable().describe('Set when there are too many for one call: ask get-webhook-recovery'),
  })
  .meta({ id: 'WebhookReplay' });
export type ReplayAnswer = z.output<typeof ReplayAnswer>;

export const RECOVERY_STATUSES = ['queued', 'running', 'completed', 'failed'] as const;
export const RECOVERY_KINDS = ['recover', 'replay'] as const;

/** How far a recovery, or a replay of very many, is. */
export const RecoveryView = z
  .object({
    recovery_id: z.uuid(),
    kind: z.enum(RECOVERY_KINDS).describe('recover: failed and missed; replay: a time range of dead letters'),
    status: z.enum(RECOVERY_STATUSES),
    from: Moment,
    to: Moment,
    replayed: z.int().describe('Dead letters that are on their way again'),
    created: z.int().describe('Deliveries made for events that occurred while the webhook was inactive'),
    error: z.string().nullable().describe('Why it failed'),
    created_at: Moment,
    finished_at: Moment.nullable(),
  })
  .meta({ id: 'WebhookRecovery' });
export type RecoveryView = z.output<typeof RecoveryView>;

export const RecoverAnswer = z
  .object({
    dry_run: z.boolean(),
    failed: z.int().describe('Dead letters since then'),
    missed: z.int().describe('Events since then that the webhook missed while it was inactive'),
    counts_are_exact: z.boolean().describe('false: there are more than were counted'),
    recovery_id: z.uuid().nullable().describe('Ask get-webhook-recovery how far it is; null for a dry run'),
  })
  .meta({ id: 'WebhookRecover' });
export type RecoverAnswer = z.output<typeof RecoverAnswer>;
