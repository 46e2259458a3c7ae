import { audit } from '../audit/index.ts';
import type { Caller } from '../contracts/caller.ts';
import { MAX_COUNTED, momentOf } from '../contracts/common.ts';
import { MAX_REPLAYED_AT_ONCE } from '../contracts/deliveries.ts';
import type { DeliveryStatus, DeliveryView, ReplayAnswer, ReplayDeadLettersInput } from '../contracts/deliveries.ts';
import { ApiError } from '../contracts/errors.ts';
import type { WebhookView } from '../contracts/webhooks.ts';
import { DELIVERIES_CHANNEL } from '../outbox/index.ts';
import type { TenantTransaction, Transaction } from '../../platform/db/transaction.ts';
import { scopedStatement } from './delivery-scope.ts';
import type { DeliveryScope } from './delivery-scope.ts';
import { DELIVERY_COLUMNS, deliveryView } from './delivery-log.view.ts';
import type { DeliveryRow } from './delivery-log.view.ts';
import { requestRecovery } from './recovery-requests.service.ts';
import { VERIFICATION_EVENT } from './verification.rules.ts';

// Locked in the order of their ids, so that two replays of the same ones never deadlock: the second waits, then finds them
// pending and leaves them. A success of a first send is written down as the attempt that so far only the row told of.
const REPLAY = scopedStatement(
  (isInScope) => `
  with chosen as (
    select id from deliveries
    where client_id = $1 and ${isInScope} and id = any($3::bigint[]) and status = any($4::text[]) and not is_test
      and not exists (select from events e where e.event_id = deliveries.event_id and e.erased_at is not null)
    order by id for update),
  kept as (
    insert into delivery_attempts (delivery_id, round, send_number, client_id, webhook_revision, at, duration_ms,
      response_status, response_body, error_message)
    select d.id, d.round, 1, d.client_id, d.webhook_revision,
      d.delivered_at - coalesce(d.duration_ms, 0) * interval '1 millisecond', coalesce(d.duration_ms, 0), d.response_status,
      d.response_body, null
    from chosen c join deliveries d on d.id = c.id
    where d.delivered_at is not null
      and not exists (select from delivery_attempts a where a.delivery_id = d.id and a.round = d.round)
    on conflict do nothing)
  update deliveries d set status = 'pending', round = d.round + 1, sends = 0, response_status = null, response_body = null,
    error_message = null, duration_ms = null, delivered_at = null, leased_until = null, next_attempt_at = null,
    dlq_at = null, dlq_reason = null
  from chosen c where d.id = c.id returning ${DELIVERY_COLUMNS}`,
);
const FAILED_OF = scopedStatement(
  (isInScope) => `
  select id from deliveries
  where client_id = $1 and ${isInScope} and id = any($3::bigint[]) and case status when 'failed' then not is_test end`,
);
// A challenge that was not met is no event that was missed.
const inRange = (isInScope: string): string => `
  from deliveries
  where client_id = $1 and ${isInScope} and status = 'failed' and dlq_at >= $3 and dlq_at < $4
    and event_type <> '${VERIFICATION_EVENT}' and ($5::text is null or event_type = $5)`;
const PICK = scopedStatement((isInScope) => `select id, dlq_at ${inRange(isInScope)} order by dlq_at, id limit $6`);
const COUNT = scopedStatement(
  (isInScope) =>
    `select count(*) as total from (select 1 ${inRange(isInScope)} limit ${String(MAX_COUNTED + 1)}) as counted`,
);
const ONE = scopedStatement(
  (isInScope) => `
  select ${DELIVERY_COLUMNS},
    exists (select from events e where e.event_id = d.event_id and e.erased_at is not null) as is_erased
  from deliveries d where d.client_id = $1 and ${isInScope} and d.id = $3`,
);

/** Dead letters of a scope, by when they were dead-lettered: from, included, to `to`, not included. */
export interface DeadLetterRange extends DeliveryScope {
  from: Date;
  to: Date;
  eventType: string | null;
}

/** Puts deliveries back to where a relay takes them up: a new round, the same event and Idempotency-Key. */
export async function replayDeliveries(
  tx: Transaction,
  scope: DeliveryScope,
  ids: readonly number[],
  statuses: readonly DeliveryStatus[] = ['failed'],
): Promise<DeliveryView[]> {
  if (ids.length === 0) return [];
  const rows = await tx.query<DeliveryRow>(REPLAY(scope), [scope.clientId, scope.webhookId, ids, statuses]);
  if (rows.length > 0) tx.notify(DELIVERIES_CHANNEL);
  return rows.map(deliveryView);
}

/** The oldest dead letters of a range. */
export function pickDeadLetters(
  tx: Transaction,
  range: DeadLetterRange,
  limit: number,
): Promise<{ id: number; dlq_at: Date }[]> {
  return tx.query<{ id: number; dlq_at: Date }>(PICK(range), [...rangeValues(range), limit]);
}

/** How many dead letters a range holds, counted up to one more than `MAX_COUNTED`. */
export async function countDeadLetters(tx: Transaction, range: DeadLetterRange): Promise<number> {
  const [row] = await tx.query<{ total: number }>(COUNT(range), rangeValues(range));
  return row?.total ?? 0;
}

/** A webhook that isn't sent to can't have anything sent again. */
export function checkReceives(webhook: WebhookView, eventType?: string): void {
  if (!webhook.is_active) {
    throw new ApiError('CONFLICT', `The webhook ${String(webhook.id)} is inactive: set is_active first.`);
  }
  if (webhook.verification_status !== 'verified' && eventType !== VERIFICATION_EVENT) {
    throw new ApiError('CONFLICT', `The endpoint of webhook ${String(webhook.id)} has not been verified.`);
  }
}

const NOT_NOW = {
  pending: 'waits for its first send already',
  expired: 'has expired: it was in the dead-letter queue for longer than that keeps it',
} as const;
const IS_ERASED = 'tells of a result that was erased; there is nothing left to send';
const NO_DEAD_LETTER = { ...NOT_NOW, retrying: 'is being retried already', success: 'has arrived' } as const;

/**
 * Sends one delivery again: a dead letter, or one that arrived, as a new round. One that is being retried is left to its
 * workflow, which the caller is to wake.
 */
export async function retryDelivery(
  tx: TenantTransaction,
  caller: Caller,
  webhook: WebhookView,
  deliveryId: number,
): Promise<DeliveryView> {
  const subject = { clientId: tx.clientId, webhookId: webhook.id };
  const [row] = await tx.query<OneRow>(ONE(subject), [tx.clientId, webhook.id, deliveryId]);
  if (row === undefined) throw ApiError.notFound('delivery', deliveryId);
  const { status } = row;
  const refusal = row.is_erased
    ? IS_ERASED
    : row.is_test
      ? 'was a test, which is made once: make another'
      : status === 'pending' || status === 'expired'
        ? NOT_NOW[status]
        : undefined;
  if (refusal !== undefined) throw new ApiError('CONFLICT', `The delivery ${String(deliveryId)} ${refusal}.`);
  checkReceives(webhook, row.event_type);
  if (row.status === 'retrying') return deliveryView(row);
  const [replayed] = await replayDeliveries(tx, subject, [deliveryId], ['failed', 'success']);
  if (replayed === undefined) {
    throw new ApiError('CONFLICT', `The delivery ${String(deliveryId)} was sent again a moment ago.`);
  }
  const details = { webhook_id: webhook.id, event_type: row.event_type, round: replayed.round, was: row.status };
  audit(tx, caller, {
    action: 'webhook_delivery.retried',
    subjectType: 'webhook_delivery',
    subjectId: String(deliveryId),
    details,
  });
  return replayed;
}

/** Replays dead letters by ids or by time; more than one transaction should hold are left to a workflow. */
export async function replayDeadLetters(
  tx: TenantTransaction,
  caller: Caller,
  webhook: WebhookView,
  input: ReplayDeadLettersInput,
): Promise<ReplayAnswer> {
  const wanted = wantedOf(input);
  checkReceives(webhook);
  return replayWanted(tx, caller, { clientId: tx.clientId, webhookId: webhook.id }, { wanted, isDry: input.dry_run });
}

/** The same for the callbacks of the client's Document AI calls; of a range, the oldest that one transaction holds. */
export async function replayCallbacks(
  tx: TenantTransaction,
  caller: Caller,
  input: ReplayDeadLettersInput,
): Promise<ReplayAnswer> {
  const wanted = wantedOf(input);
  return replayWanted(tx, caller, callbacksOf(caller), { wanted, isDry: input.dry_run });
}

/** Sends one dead letter among the callbacks again, as a new round. */
export async function replayCallback(tx: TenantTransaction, caller: Caller, deliveryId: number): Promise<DeliveryView> {
  const subject = callbacksOf(caller);
  const [row] = await tx.query<OneRow>(ONE(subject), [tx.clientId, null, deliveryId]);
  if (row === undefined) throw ApiError.notFound('callback', deliveryId);
  if (row.is_erased) throw new ApiError('CONFLICT', `The callback ${String(deliveryId)} ${IS_ERASED}.`);
  const [replayed] = await replayDeliveries(tx, subject, [deliveryId]);
  if (replayed === undefined) {
    const reason = row.status === 'failed' ? 'was sent again a moment ago' : NO_DEAD_LETTER[row.status];
    throw new ApiError('CONFLICT', `The callback ${String(deliveryId)} ${reason}.`);
  }
  noteReplay(tx, caller, null, { ids: [deliveryId], replayed: 1 });
  return replayed;
}

/** The callbacks that a caller may see: the sandbox's are apart from all others. */
function callbacksOf({ clientId, isSandbox }: Pick<Caller, 'clientId' | 'isSandbox'>): DeliveryScope {
  return { clientId, webhookId: null, isSandbox: isSandbox === true };
}

type OneRow = DeliveryRow & { is_erased: boolean };

async function replayWanted(
  tx: TenantTransaction,
  caller: Caller,
  subject: DeliveryScope,
  { wanted, isDry }: { wanted: Wanted; isDry: boolean },
): Promise<ReplayAnswer> {
  const { webhookId } = subject;
  if ('ids' in wanted) return replayIds(tx, caller, { ...subject, ids: wanted.ids, isDry });
  const range = { ...subject, ...wanted };
  const [matched, picked] = await Promise.all([
    countDeadLetters(tx, range),
    isDry ? [] : pickDeadLetters(tx, range, MAX_REPLAYED_AT_ONCE + 1),
  ]);
  const answer = {
    dry_run: isDry,
    matched: Math.min(matched, MAX_COUNTED),
    matched_is_exact: matched <= MAX_COUNTED,
    replayed: 0,
    skipped_ids: [],
    recovery_id: null,
  };
  if (isDry) return answer;
  const asked = { from: range.from.toISOString(), to: range.to.toISOString(), event: range.eventType };
  if (picked.length > MAX_REPLAYED_AT_ONCE && webhookId !== null) {
    const { recovery_id } = await requestRecovery(tx, { kind: 'replay', ...range, webhookId });
    noteReplay(tx, caller, webhookId, { ...asked, recovery_id });
    return { ...answer, recovery_id };
  }
  const replayed = await replayDeliveries(
    tx,
    subject,
    picked.slice(0, MAX_REPLAYED_AT_ONCE).map(({ id }) => id),
  );
  noteReplay(tx, caller, webhookId, { ...asked, replayed: replayed.length });
  return { ...answer, replayed: replayed.length };
}

async function replayIds(
  tx: TenantTransaction,
  caller: Caller,
  { ids, isDry, ...scope }: DeliveryScope & { ids: readonly number[]; isDry: boolean },
): Promise<ReplayAnswer> {
  const { clientId, webhookId } = scope;
  const unique = [...new Set(ids)];
  const found = isDry
    ? await tx.query<{ id: number }>(FAILED_OF(scope), [clientId, webhookId, unique])
    : await replayDeliveries(tx, scope, unique);
  const taken = new Set(found.map(({ id }) => id));
  if (!isDry) noteReplay(tx, caller, webhookId, { ids: [...taken].slice(0, 100), replayed: taken.size });
  return {
    dry_run: isDry,
    matched: taken.size,
    matched_is_exact: true,
    replayed: isDry ? 0 : taken.size,
    skipped_ids: unique.filter((id) => !taken.has(id)),
    recovery_id: null,
  };
}

type Wanted = { ids: readonly number[] } | { from: Date; to: Date; eventType: string | null };

/** The two ways to say which, told apart here: a schema that said it would hide the fields from the tool catalogues. */
function wantedOf({ ids, from, to, event }: ReplayDeadLettersInput): Wanted {
  if (ids !== undefined) {
    const other = Object.entries({ from, to, event }).find(([, value]) => value !== undefined);
    if (other !== undefined) throw ApiError.invalid(other[0], 'cannot be given together with ids');
    return { ids };
  }
  if (from === undefined && to === undefined) throw ApiError.badRequest('ids', 'is required, or from and to');
  if (from === undefined) throw ApiError.badRequest('from', 'is required with to');
  if (to === undefined) throw ApiError.badRequest('to', 'is required with from');
  if (momentOf(to) <= momentOf(from)) throw ApiError.invalid('to', 'must be after from');
  return { from: momentOf(from), to: earliest(momentOf(to)), eventType: event ?? null };
}

/** What is dead-lettered from now on, perhaps by this very replay, is not meant. */
function earliest(to: Date): Date {
  return new Date(Math.min(to.getTime(), Date.now() + 1));
}

function noteReplay(
  tx: TenantTransaction,
  caller: Caller,
  webhookId: number | null,
  details: Record<string, unknown>,
): void {
  const subject =
    webhookId === null
      ? { action: 'document_ai.callbacks_replayed', subjectType: 'client', subjectId: String(tx.clientId) }
      : { action: 'webhook.dlq_replayed', subjectType: 'webhook', subjectId: String(webhookId) };
  audit(tx, caller, { ...subject, details });
}

function rangeValues({ clientId, webhookId, from, to, eventType }: DeadLetterRange): unknown[] {
  return [clientId, webhookId, from, to, eventType];
}
