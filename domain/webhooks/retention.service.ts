import { statement } from '../../platform/db/statement.ts';
import type { SystemDatabase } from '../../platform/db/database.ts';

/**
 * What is kept for a while only. Each call is one short transaction over at most a batch of rows that nobody else holds,
 * so that deliveries go on beside it; all of it can be repeated.
 */

const DAY_MS = 86_400_000;
/** Rows that one statement looks at. */
const BATCH = 2_000;
const DELIVERIES_KEPT_DAYS = 30;
/** A dead letter that expired after as long as is usual would else be gone before anyone saw that it expired. */
const EXPIRED_KEPT_LONGER_DAYS = 30;
const EVENTS_KEPT_DAYS = 90;
const RECOVERIES_KEPT_DAYS = 90;

const EXPIRE = statement(`
  with old as (
    select id from deliveries where status = 'failed' and dlq_at < $1 order by dlq_at limit $3 for update skip locked),
  gone as (
    update deliveries d set status = 'expired',
      dlq_reason = concat_ws('; ', nullif(d.dlq_reason, ''), 'expired: in the dead-letter queue for over ' || $2::int || ' days')
    from old where d.id = old.id returning 1)
  select count(*) as removed from gone`);
// Along the primary key, whose order is that of creation but for what was inserted at the same moment: no index on the
// time, which each insert would have to pay for. What is not to go yet is passed over.
const PURGE_DELIVERIES = statement(`
  with scanned as (
    select id, status, is_test, created_at from deliveries where id > $1 order by id limit $3),
  old as (
    select d.id from deliveries d join scanned s on s.id = d.id
    where s.created_at < $2 and (s.status = 'success' or s.is_test
      or s.status = 'expired' and s.created_at < $2::timestamptz - interval '${String(EXPIRED_KEPT_LONGER_DAYS)} days')
    order by d.id for update of d skip locked),
  gone as (
    delete from deliveries d using old where d.id = old.id and (d.status in ('success', 'expired') or d.is_test) returning d.id),
  attempts as (delete from delivery_attempts a using gone where a.delivery_id = gone.id)
  select (select max(id) from scanned) as cursor, (select count(*) from scanned) as seen,
    (select min(created_at) from scanned) as oldest, (select count(*) from gone) as removed`);
// An event stays for as long as any delivery of it is there: the log shows each request, and a dead letter can be replayed.
const PURGE_EVENTS = statement(`
  with scanned as (
    select id, event_id, occurred_at, dispatched_at from events where id > $1 order by id limit $3),
  old as (
    select e.id from events e join scanned s on s.id = e.id
    where s.occurred_at < $2 and s.dispatched_at is not null
      and not exists (select from deliveries d where d.event_id = s.event_id)
    order by e.id for update of e skip locked),
  gone as (delete from events e using old where e.id = old.id returning 1)
  select (select max(id) from scanned) as cursor, (select count(*) from scanned) as seen,
    (select min(occurred_at) from scanned) as oldest, (select count(*) from gone) as removed`);
// A revision made requests only while it was the newest. When the next came before the oldest delivery that is left, no
// request that the log can show was made by it. A day in between: relays may hold the one before for a moment.
const PURGE_REVISIONS = statement(`
  with old as (
    select r.webhook_id, r.revision from webhook_revisions r
    cross join lateral (
      select n.created_at from webhook_revisions n
      where n.webhook_id = r.webhook_id and n.revision > r.revision order by n.revision limit 1) n
    where n.created_at < $1::timestamptz - interval '1 day'
      and not exists (
        select from deliveries d where d.client_id = r.client_id and d.webhook_id = r.webhook_id
          and d.status in ('success', 'retrying', 'failed', 'expired') and d.created_at < n.created_at + interval '1 day')
      and not exists (
        select from unnest(array['', '/ordered']) kind
        cross join lateral (
          select d.created_at from deliveries d where d.status = 'pending' and d.lane = 'webhook/' || r.webhook_id || kind
          order by d.id limit 1) d
        where d.created_at < n.created_at + interval '1 day')
    limit $2 for update of r skip locked),
  gone as (
    delete from webhook_revisions r using old where r.webhook_id = old.webhook_id and r.revision = old.revision returning 1)
  select count(*) as removed from gone`);
const PURGE_RECOVERIES = statement(`
  with recoveries as (
    delete from webhook_recoveries where id in (
      select id from webhook_recoveries where created_at < $1 and finished_at is not null
      order by created_at limit $2 for update skip locked) returning 1),
  pauses as (
    delete from webhook_pauses where (webhook_id, paused_at) in (
      select webhook_id, paused_at from webhook_pauses where resumed_at < $1 limit $2 for update skip locked) returning 1)
  select (select count(*) from recoveries) as removed, (select count(*) from pauses) as pauses`);

export interface PurgedBatch {
  removed: number;
  isDone: boolean;
}

/** A batch of a purge that goes along a table: where the next begins. */
export interface PurgedStretch extends PurgedBatch {
  cursor: number;
}

/** Ends dead letters that were kept for long enough (spec, "States": expired, the reason appended). */
export async function expireDeadLetters(
  db: SystemDatabase,
  { retentionDays, now }: { retentionDays: number; now: number },
): Promise<PurgedBatch> {
  return batchOf(db, EXPIRE, [new Date(now - retentionDays * DAY_MS), retentionDays, BATCH]);
}

/** Deliveries that succeeded or were tests thirty days after they were made, expired ones after sixty, with their attempts. */
export function purgeDeliveries(db: SystemDatabase, now: number, cursor: number): Promise<PurgedStretch> {
  return stretchOf(db, PURGE_DELIVERIES, { cursor, before: new Date(now - DELIVERIES_KEPT_DAYS * DAY_MS) });
}

/** Events of ninety days ago of which no delivery is left. */
export function purgeEvents(db: SystemDatabase, now: number, cursor: number): Promise<PurgedStretch> {
  return stretchOf(db, PURGE_EVENTS, { cursor, before: new Date(now - EVENTS_KEPT_DAYS * DAY_MS) });
}

/** Revisions of webhooks that no delivery in the log was sent by. */
export function purgeRevisions(db: SystemDatabase, now: number): Promise<PurgedBatch> {
  return batchOf(db, PURGE_REVISIONS, [new Date(now), BATCH]);
}

/** Finished recoveries, and pauses that lie too far back to be recovered. */
export async function purgeRecoveries(db: SystemDatabase, now: number): Promise<PurgedBatch> {
  const before = new Date(now - RECOVERIES_KEPT_DAYS * DAY_MS);
  const [row] = await db.query<{ removed: number; pauses: number }>(PURGE_RECOVERIES, [before, BATCH]);
  const { removed = 0, pauses = 0 } = row ?? {};
  return { removed: removed + pauses, isDone: removed < BATCH && pauses < BATCH };
}

async function batchOf(
  db: SystemDatabase,
  purge: ReturnType<typeof statement>,
  values: readonly unknown[],
): Promise<PurgedBatch> {
  const [row] = await db.query<{ removed: number }>(purge, values);
  const removed = row?.removed ?? 0;
  return { removed, isDone: removed < BATCH };
}

async function stretchOf(
  db: SystemDatabase,
  purge: ReturnType<typeof statement>,
  { cursor, before }: { cursor: number; before: Date },
): Promise<PurgedStretch> {
  const [row] = await db.query<{ cursor: number | null; seen: number; oldest: Date | null; removed: number }>(purge, [
    cursor,
    before,
    BATCH,
  ]);
  const { cursor: next = null, seen = 0, oldest = null, removed = 0 } = row ?? {};
  const isYoung = oldest === null || oldest >= before;
  return { removed, cursor: next ?? cursor, isDone: seen < BATCH || isYoung };
}
