import type { DeliverWebhookInput } from '../contracts/workflows.ts';
import { deliveryWorkflowId, TASK_QUEUE, WORKFLOW } from '../contracts/workflows.ts';
import { statement } from '../../platform/db/statement.ts';
import type { SystemDatabase } from '../../platform/db/database.ts';
import type { Decision, SendOutcome } from './delivery.rules.ts';
import { alertDeadLetters, failing, HEALTH, HEALTHY, LOCK_COUNTED } from './webhook-health.service.ts';
import type { HealthRow } from './webhook-health.service.ts';
import { IS_PENDING } from './queue.service.ts';

/** Bulk statements that record what first sends came to. A delivery that another relay has recorded meanwhile is left as it is. */

// Deliveries are inserted without waiting for the disk. A crash of PostgreSQL may take them back, and give their ids to
// others: so a row is that of the send only if it is of the same event and webhook.
const IS_SENT = `d.id = o.id and d.event_id = o.event_id and d.webhook_id is not distinct from o.webhook_id
      and d.round = o.round and ${IS_PENDING}`;

// Answers only the webhooks for which the success is news: on the way of all others there is nothing to tell.
const SUCCEEDED = statement(`
  with o as (
    select * from unnest($1::bigint[], $2::int[], $3::int[], $4::text[], $5::int[], $6::timestamptz[], $7::int[],
        $8::uuid[], $9::int[])
      as t (id, round, response_status, response_body, duration_ms, delivered_at, webhook_revision, event_id, webhook_id)),
  done as (
    update deliveries d set status = 'success', sends = 1, response_status = o.response_status,
      response_body = o.response_body, error_message = null, duration_ms = o.duration_ms,
      delivered_at = o.delivered_at, leased_until = null, webhook_revision = o.webhook_revision
    from o where ${IS_SENT}
    returning d.webhook_id, d.delivered_at),
  counted as (
    select webhook_id, count(*) as sends, max(delivered_at) as at from done where webhook_id is not null group by 1),
  ${LOCK_COUNTED},
  told as (
    update webhooks w set success_count = success_count + c.sends,
      last_triggered_at = greatest(last_triggered_at, c.at), last_success_at = greatest(last_success_at, c.at), ${HEALTHY}
    from counted c join locked l on l.id = c.webhook_id where w.id = c.webhook_id
    returning ${HEALTH}, l.was_open, l.recovery_mail_due and w.is_active as is_recovered, 0 as dead_letters)
  select * from told where was_open or is_recovered`);
const FAILED = statement(`
  with o as (
    select * from unnest($1::bigint[], $2::int[], $3::text[], $4::int[], $5::int[], $6::text[], $7::text[], $8::int[],
        $9::timestamptz[], $10::timestamptz[], $11::text[], $12::text[], $13::jsonb[], $14::int[], $15::boolean[],
        $16::uuid[], $17::int[])
      as t (id, round, status, sends, response_status, response_body, error_message, duration_ms, at, next_attempt_at,
        dlq_reason, workflow_id, workflow_input, webhook_revision, is_in_row, event_id, webhook_id)),
  done as (
    update deliveries d set status = o.status, sends = o.sends, response_status = o.response_status,
      response_body = o.response_body, error_message = o.error_message, duration_ms = o.duration_ms,
      leased_until = null, next_attempt_at = o.next_attempt_at, dlq_reason = o.dlq_reason,
      dlq_at = case when o.status = 'failed' then now() end, webhook_revision = o.webhook_revision
    from o where ${IS_SENT}
    returning d.id, d.client_id, d.webhook_id, d.status, o.at, o.workflow_id, o.workflow_input, o.sends, o.is_in_row),
  attempts as (
    insert into delivery_attempts (delivery_id, round, send_number, client_id, at, duration_ms, response_status,
      response_body, error_message, webhook_revision)
    select o.id, o.round, 1, done.client_id, o.at, o.duration_ms, o.response_status, o.response_body, o.error_message,
      o.webhook_revision
    from done join o on o.id = done.id where o.sends > 0
    on conflict do nothing),
  starts as (
    insert into workflow_starts (client_id, workflow_id, workflow_type, task_queue, input)
    select client_id, workflow_id, '${WORKFLOW.deliverWebhook}', '${TASK_QUEUE.platform}', workflow_input
    from done where status = 'retrying'
    on conflict (workflow_id) do nothing),
  counted as (
    select webhook_id, count(*) as sends, max(at) as at, (count(*) filter (where is_in_row))::int as in_row,
      (count(*) filter (where status = 'failed'))::int as dead
    from done where webhook_id is not null and sends > 0 group by 1),
  ${LOCK_COUNTED}
  update webhooks w set failure_count = failure_count + c.sends,
    last_triggered_at = greatest(last_triggered_at, c.at), last_failure_at = greatest(last_failure_at, c.at),
    ${failing('c.in_row', 'c.dead')}
  from counted c join locked l on l.id = c.webhook_id where w.id = c.webhook_id
  returning ${HEALTH}, l.was_open, false as is_recovered, c.dead as dead_letters`);

export interface FirstSendSuccess {
  deliveryId: number;
  eventId: string;
  webhookId: number | null;
  round: number;
  /** Of the webhook that made the request; null for a callback. */
  revision: number | null;
  outcome: SendOutcome;
}

/** A first send that did not succeed, or (`outcome` null) could not be made for a lack of ours. */
export interface FirstSendFailure {
  deliveryId: number;
  eventId: string;
  round: number;
  clientId: number;
  webhookId: number | null;
  revision: number | null;
  /** Whether no send to the endpoint has succeeded since. */
  isInRow: boolean;
  eventName: string;
  url: string;
  outcome: SendOutcome | null;
  error: string;
  decision: Exclude<Decision, { status: 'success' }>;
  /** When this was decided, in milliseconds; delays count from it. */
  now: number;
}

/** Answers how the webhooks stand for which that is news. */
export async function recordFirstSuccesses(
  db: SystemDatabase,
  sent: readonly FirstSendSuccess[],
): Promise<HealthRow[]> {
  return db.query<HealthRow>(SUCCEEDED, [
    sent.map((s) => s.deliveryId),
    sent.map((s) => s.round),
    sent.map((s) => s.outcome.responseStatus),
    sent.map((s) => s.outcome.responseBody),
    sent.map((s) => s.outcome.durationMs),
    sent.map((s) => new Date(s.outcome.at + s.outcome.durationMs)),
    sent.map((s) => s.revision),
    sent.map((s) => s.eventId),
    sent.map((s) => s.webhookId),
  ]);
}

/** Records failures and asks, in the same statement, for the workflow of each that is to be retried. */
export async function recordFirstFailures(
  db: SystemDatabase,
  failed: readonly FirstSendFailure[],
): Promise<HealthRow[]> {
  return db.transaction(async (tx) => {
    const rows = await tx.query<HealthRow>(FAILED, [
      failed.map((f) => f.deliveryId),
      failed.map((f) => f.round),
      failed.map((f) => f.decision.status),
      failed.map(sendsOf),
      failed.map((f) => f.outcome?.responseStatus ?? null),
      failed.map((f) => f.outcome?.responseBody ?? null),
      failed.map((f) => f.error),
      failed.map((f) => f.outcome?.durationMs ?? null),
      failed.map((f) => new Date(f.outcome?.at ?? f.now)),
      failed.map(nextAttemptAt),
      failed.map((f) => (f.decision.status === 'failed' ? f.decision.reason : null)),
      failed.map((f) => deliveryWorkflowId(f.deliveryId, f.round)),
      failed.map((f) => JSON.stringify(workflowInput(f))),
      failed.map((f) => f.revision),
      failed.map((f) => f.isInRow),
      failed.map((f) => f.eventId),
      failed.map((f) => f.webhookId),
    ]);
    await alertDeadLetters(tx, rows);
    return rows;
  });
}

function sendsOf(failure: FirstSendFailure): number {
  return failure.outcome === null ? 0 : 1;
}

function nextAttemptAt({ decision, now }: FirstSendFailure): Date | null {
  return decision.status === 'retrying' ? new Date(now + decision.delayMs) : null;
}

function workflowInput(failure: FirstSendFailure): DeliverWebhookInput {
  return {
    client_id: failure.clientId,
    delivery_id: failure.deliveryId,
    round: failure.round,
    sends: sendsOf(failure),
    next_attempt_at: (nextAttemptAt(failure) ?? new Date(failure.now)).toISOString(),
    webhook_id: failure.webhookId,
    event_name: failure.eventName,
    endpoint_url: failure.url,
    error: failure.error,
  };
}
