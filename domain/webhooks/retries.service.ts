import { statement } from '../../platform/db/statement.ts';
import type { SystemDatabase } from '../../platform/db/database.ts';
import type { Vault } from '../../platform/crypto.ts';
import { SendError } from '../../platform/http/send-error.ts';
import { DELIVERIES_CHANNEL } from '../outbox/index.ts';
import { decide } from './delivery.rules.ts';
import type { Decision, SendOutcome } from './delivery.rules.ts';
import { endpointOfCallback, endpointOfWebhook } from './endpoint.ts';
import type { CallbackTarget, Endpoint } from './endpoint.ts';
import type { OutgoingDelivery } from './request.ts';
import { VERIFICATION_EVENT } from './verification.rules.ts';
import { alertDeadLetters, failing, followUp, HEALTH, HEALTHY, LOCK_COUNTED } from './webhook-health.service.ts';
import type { HealthRow } from './webhook-health.service.ts';

/** One send of a delivery that is being retried. Names a row: all that is known of it is read anew for each send. */
export interface RetryKey {
  clientId: number;
  deliveryId: number;
  round: number;
  sendNumber: number;
}

/** A delivery that is not ours any more: it ended, or a later round (a replay) took over. */
export interface Superseded {
  status: 'superseded';
}

export type LoadedRetry =
  | { kind: 'ready'; endpoint: Endpoint; delivery: OutgoingDelivery }
  /** Its webhook takes nothing for now; it waits in the queue, as a new round. */
  | { kind: 'held'; reason: string }
  | { kind: 'undeliverable'; reason: string }
  | { kind: 'superseded' };

const LOAD = statement(`
  select d.webhook_id, d.target, d.status, d.round, d.sends, d.event_id, d.event_type, e.occurred_at,
    e.data::text as data_text
  from deliveries d join events e on e.event_id = d.event_id where d.client_id = $1 and d.id = $2`);
const STATE = statement(`
  select status, round, sends, next_attempt_at, dlq_reason from deliveries where client_id = $1 and id = $2`);
// Counts for nothing when it was recorded before (`sends < $5`), or when the delivery has moved on.
const RECORD = statement(`
  with done as (
    update deliveries set status = $4, sends = $5, response_status = $6, response_body = $7, error_message = $8,
      duration_ms = $9, delivered_at = $11, next_attempt_at = $12, dlq_at = case when $4 = 'failed' then now() end,
      dlq_reason = $13, webhook_revision = $14
    where client_id = $1 and id = $2 and round = $3 and status = 'retrying' and sends < $5
    returning id, client_id, webhook_id, is_ordered),
  attempt as (
    insert into delivery_attempts (delivery_id, round, send_number, client_id, at, duration_ms, response_status,
      response_body, error_message, webhook_revision)
    select id, $3, $5, client_id, $10, $9, $6, $7, $8, $14 from done
    on conflict do nothing),
  counted as (select webhook_id, $10::timestamptz as at, (case when $4 = 'failed' then 1 else 0 end) as dead from done
    where webhook_id is not null),
  ${LOCK_COUNTED},
  succeeded as (
    update webhooks w set success_count = success_count + 1, last_triggered_at = greatest(last_triggered_at, c.at),
      last_success_at = greatest(last_success_at, c.at), ${HEALTHY}
    from counted c join locked l on l.id = c.webhook_id where w.id = c.webhook_id and $4 = 'success'
    returning ${HEALTH}, l.was_open, l.recovery_mail_due and w.is_active as is_recovered, 0 as dead_letters),
  failed as (
    update webhooks w set failure_count = failure_count + 1, last_triggered_at = greatest(last_triggered_at, c.at),
      last_failure_at = greatest(last_failure_at, c.at), ${failing('1', 'c.dead')}
    from counted c join locked l on l.id = c.webhook_id where w.id = c.webhook_id and $4 <> 'success'
    returning ${HEALTH}, l.was_open, false as is_recovered, c.dead as dead_letters)
  select done.is_ordered, h.* from done
  left join (select * from succeeded union all select * from failed) h on h.webhook_id = done.webhook_id`);
const DEAD_LETTER = statement(`
  update deliveries set status = 'failed', dlq_at = now(), dlq_reason = $4, next_attempt_at = null, leased_until = null
  where client_id = $1 and id = $2 and round = $3 and status in ('pending', 'retrying')
  returning client_id, webhook_id, is_ordered, 1 as dead_letters`);
// A new round, because its sends begin anew: with the whole schedule of retries, and a workflow of its own. What came of
// those before stands in its attempts.
const HOLD = statement(`
  update deliveries set status = 'pending', round = round + 1, sends = 0, next_attempt_at = null, leased_until = null,
    response_status = null, response_body = null, error_message = null, duration_ms = null
  where client_id = $1 and id = $2 and round = $3 and status = 'retrying'`);

interface LoadedRow extends Record<string, unknown> {
  webhook_id: number | null;
  target: CallbackTarget | null;
  status: string;
  round: number;
  sends: number;
  event_id: string;
  event_type: string;
  occurred_at: Date;
  data_text: string;
}

/** What is needed to make the next send, as things stand now. */
export async function loadRetry(db: SystemDatabase, vault: Vault, key: RetryKey): Promise<LoadedRetry> {
  const { clientId, deliveryId, round, sendNumber } = key;
  const [row] = await db.query<LoadedRow>(LOAD, [clientId, deliveryId]);
  if (row?.round !== round || row.status !== 'retrying' || row.sends >= sendNumber) return { kind: 'superseded' };
  const found = await endpointOf(db, vault, clientId, row);
  if (found.kind === 'undeliverable') return found;
  if (found.kind === 'held') {
    await db.query(HOLD, [clientId, deliveryId, round]);
    return { kind: 'held', reason: found.reason };
  }
  const { event_id: eventId, event_type: name, occurred_at: occurredAt, data_text: dataText } = row;
  const event = { clientId, eventId, name, occurredAt, dataText };
  return { kind: 'ready', endpoint: found.endpoint, delivery: { deliveryId, sendNumber, event } };
}

/**
 * Records a retry and says what comes next. Recorded once for each send, however often it is called: a repeated call
 * answers from the row.
 */
export async function recordRetry(
  db: SystemDatabase,
  vault: Vault,
  key: RetryKey,
  { outcome, revision }: { outcome: SendOutcome; revision: number | null },
  now: number,
): Promise<Decision | Superseded> {
  const { clientId, deliveryId, round, sendNumber } = key;
  const [row] = await db.query<LoadedRow>(LOAD, [clientId, deliveryId]);
  if (row === undefined || row.round !== round) return { status: 'superseded' };
  const found = await endpointOf(db, vault, clientId, row);
  // Of a webhook that was switched off meanwhile the schedule still counts: before its next send it is held.
  const policy = found.kind === 'undeliverable' ? { retryCount: 0, retryDelaySeconds: 0 } : found.endpoint.retry;
  const decision = decide(outcome, sendNumber, policy);
  const values = [
    clientId,
    deliveryId,
    round,
    decision.status,
    sendNumber,
    outcome.responseStatus,
    outcome.responseBody,
    outcome.error,
    outcome.durationMs,
    new Date(outcome.at),
    decision.status === 'success' ? new Date(outcome.at + outcome.durationMs) : null,
    decision.status === 'retrying' ? new Date(now + decision.delayMs) : null,
    decision.status === 'failed' ? decision.reason : null,
    revision,
  ];
  const done = await record(db, values, decision.status);
  return done ? decision : decisionOnRecord(db, key, now);
}

type RecordedRow = Partial<HealthRow> & { is_ordered: boolean };

async function record(db: SystemDatabase, values: unknown[], status: Decision['status']): Promise<boolean> {
  const recorded = await db.transaction(async (tx) => {
    const [row] = await tx.query<RecordedRow>(RECORD, values);
    if (row === undefined) return undefined;
    const isClosed = row.was_open === true && row.is_open === false;
    // The next of its item may go, or all that an open breaker has held back.
    if ((row.is_ordered && status !== 'retrying') || isClosed) tx.notify(DELIVERIES_CHANNEL);
    if (isHealth(row)) await alertDeadLetters(tx, [row]);
    return row;
  });
  if (recorded !== undefined && isHealth(recorded)) await followUp(db, [recorded]);
  return recorded !== undefined;
}

/** A callback has no webhook whose health could be told. */
function isHealth(row: RecordedRow): row is HealthRow & { is_ordered: boolean } {
  return typeof row.webhook_id === 'number';
}

/** Moves a delivery to the DLQ without another send. */
export async function deadLetter(
  db: SystemDatabase,
  { clientId, deliveryId, round }: Omit<RetryKey, 'sendNumber'>,
  reason: string,
): Promise<void> {
  await db.transaction(async (tx) => {
    type Row = Pick<HealthRow, 'client_id' | 'dead_letters'> & { webhook_id: number | null; is_ordered: boolean };
    const [row] = await tx.query<Row>(DEAD_LETTER, [clientId, deliveryId, round, reason]);
    if (row?.is_ordered === true) tx.notify(DELIVERIES_CHANNEL);
    if (row !== undefined && row.webhook_id !== null) {
      await alertDeadLetters(tx, [{ ...row, webhook_id: row.webhook_id }]);
    }
  });
}

type Found =
  | { kind: 'ready'; endpoint: Endpoint }
  | { kind: 'held'; endpoint: Endpoint; reason: string }
  | { kind: 'undeliverable'; reason: string };

/** Where a delivery can go now, or in words why it can't. */
async function endpointOf(db: SystemDatabase, vault: Vault, clientId: number, row: LoadedRow): Promise<Found> {
  try {
    if (row.webhook_id === null) {
      if (row.target === null) return { kind: 'undeliverable', reason: 'the delivery has no target' };
      return { kind: 'ready', endpoint: await endpointOfCallback(db, vault, clientId, row.target) };
    }
    const endpoint = await endpointOfWebhook(db, vault, clientId, row.webhook_id);
    if (endpoint === undefined || endpoint.isDeleted) {
      return { kind: 'undeliverable', reason: 'the webhook was deleted' };
    }
    if (!endpoint.isActive) return { kind: 'held', endpoint, reason: 'the webhook is inactive' };
    const isProven = endpoint.isVerified || row.event_type === VERIFICATION_EVENT;
    return isProven ? { kind: 'ready', endpoint } : { kind: 'held', endpoint, reason: 'the webhook is not verified' };
  } catch (error) {
    if (error instanceof SendError) return { kind: 'undeliverable', reason: error.message };
    throw error;
  }
}

interface StateRow extends Record<string, unknown> {
  status: string;
  round: number;
  sends: number;
  next_attempt_at: Date | null;
  dlq_reason: string | null;
}

async function decisionOnRecord(db: SystemDatabase, key: RetryKey, now: number): Promise<Decision | Superseded> {
  const [row] = await db.query<StateRow>(STATE, [key.clientId, key.deliveryId]);
  if (row === undefined || row.round !== key.round || row.sends !== key.sendNumber) return { status: 'superseded' };
  if (row.status === 'success') return { status: 'success' };
  if (row.status === 'failed') return { status: 'failed', reason: row.dlq_reason ?? '' };
  if (row.status !== 'retrying' || row.next_attempt_at === null) return { status: 'superseded' };
  return { status: 'retrying', delayMs: Math.max(0, row.next_attempt_at.getTime() - now) };
}
