import { statement } from '../../platform/db/statement.ts';
import type { SystemDatabase } from '../../platform/db/database.ts';
import type { Vault } from '../../platform/crypto.ts';
import { SendError } from '../../platform/http/send-error.ts';
import { decide } from './delivery.rules.ts';
import type { Decision, SendOutcome } from './delivery.rules.ts';
import { endpointOfCallback, endpointOfWebhook } from './endpoint.ts';
import type { CallbackTarget, Endpoint } from './endpoint.ts';
import type { OutgoingDelivery } from './request.ts';

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
      dlq_reason = $13
    where client_id = $1 and id = $2 and round = $3 and status = 'retrying' and sends < $5
    returning id, client_id, webhook_id),
  attempt as (
    insert into delivery_attempts (delivery_id, round, send_number, client_id, at, duration_ms, response_status,
      response_body, error_message)
    select id, $3, $5, client_id, $10, $9, $6, $7, $8 from done
    on conflict do nothing),
  counted as (
    update webhooks w set success_count = success_count + case when $4 = 'success' then 1 else 0 end,
      failure_count = failure_count + case when $4 = 'success' then 0 else 1 end,
      last_triggered_at = greatest(last_triggered_at, $10),
      last_success_at = case when $4 = 'success' then greatest(last_success_at, $10) else last_success_at end,
      last_failure_at = case when $4 = 'success' then last_failure_at else greatest(last_failure_at, $10) end
    from done where w.id = done.webhook_id)
  select id from done`);
const DEAD_LETTER = statement(`
  update deliveries set status = 'failed', dlq_at = now(), dlq_reason = $4, next_attempt_at = null, leased_until = null
  where client_id = $1 and id = $2 and round = $3 and status in ('pending', 'retrying')`);

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
  const endpoint = await endpointOf(db, vault, clientId, row);
  if (typeof endpoint === 'string') return { kind: 'undeliverable', reason: endpoint };
  const { event_id: eventId, event_type: name, occurred_at: occurredAt, data_text: dataText } = row;
  const event = { clientId, eventId, name, occurredAt, dataText };
  return { kind: 'ready', endpoint, delivery: { deliveryId, sendNumber, event } };
}

/**
 * Records a retry and says what comes next. Recorded once for each send, however often it is called: a repeated call
 * answers from the row.
 */
export async function recordRetry(
  db: SystemDatabase,
  vault: Vault,
  key: RetryKey,
  outcome: SendOutcome,
  now: number,
): Promise<Decision | Superseded> {
  const { clientId, deliveryId, round, sendNumber } = key;
  const [row] = await db.query<LoadedRow>(LOAD, [clientId, deliveryId]);
  if (row === undefined || row.round !== round) return { status: 'superseded' };
  const endpoint = await endpointOf(db, vault, clientId, row);
  const policy = typeof endpoint === 'string' ? { retryCount: 0, retryDelaySeconds: 0 } : endpoint.retry;
  const decision = decide(outcome, sendNumber, policy);
  const at = new Date(outcome.at);
  const answeredAt = new Date(outcome.at + outcome.durationMs);
  const done = await db.query(RECORD, [
    clientId,
    deliveryId,
    round,
    decision.status,
    sendNumber,
    outcome.responseStatus,
    outcome.responseBody,
    outcome.error,
    outcome.durationMs,
    at,
    decision.status === 'success' ? answeredAt : null,
    decision.status === 'retrying' ? new Date(now + decision.delayMs) : null,
    decision.status === 'failed' ? decision.reason : null,
  ]);
  return done.length > 0 ? decision : decisionOnRecord(db, key, now);
}

/** Moves a delivery to the DLQ without another send. */
export async function deadLetter(
  db: SystemDatabase,
  { clientId, deliveryId, round }: Omit<RetryKey, 'sendNumber'>,
  reason: string,
): Promise<void> {
  await db.query(DEAD_LETTER, [clientId, deliveryId, round, reason]);
}

/** Where a delivery can go now, or in words why it can't. */
async function endpointOf(
  db: SystemDatabase,
  vault: Vault,
  clientId: number,
  row: LoadedRow,
): Promise<Endpoint | string> {
  try {
    if (row.webhook_id === null) {
      if (row.target === null) return 'the delivery has no target';
      return await endpointOfCallback(db, vault, clientId, row.target);
    }
    const endpoint = await endpointOfWebhook(db, vault, clientId, row.webhook_id);
    if (endpoint === undefined || endpoint.isDeleted) return 'the webhook was deleted';
    return endpoint.isActive ? endpoint : 'the webhook is inactive';
  } catch (error) {
    if (error instanceof SendError) return error.message;
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
