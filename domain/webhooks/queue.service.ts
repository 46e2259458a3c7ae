import { statement } from '../../platform/db/statement.ts';
import type { SystemDatabase } from '../../platform/db/database.ts';
import type { Transaction } from '../../platform/db/transaction.ts';
import { webhookLane } from './endpoint.ts';
import type { CallbackTarget, Endpoint } from './endpoint.ts';
import { VERIFICATION_EVENT } from './verification.rules.ts';

/**
 * The queue of first sends: deliveries with status `pending`, in lanes. Whoever sends one holds its lease and renews it;
 * a lease that ran out (its relay died) makes the delivery free again. All of it can be repeated.
 */

/** How long a relay that stops renewing keeps a delivery to itself. */
export const LEASE_MS = 2_000;
export const LEASE = `interval '${String(LEASE_MS)} milliseconds'`;
export const IS_FREE = `status = 'pending' and (leased_until is null or leased_until < now())`;
// For statements that find their rows by id: the planner must not reach for the index of pending deliveries instead,
// which it takes to be all but empty.
export const IS_PENDING = `case d.status when 'pending' then true end`;

/**
 * Of a webhook (its id is $3) that is not verified nothing but the challenge is taken, however much waits before it; of an
 * inactive one nothing.
 */
export const IS_TAKEN = `coalesce((select w.is_active or w.deleted_at is not null from webhooks w where w.id = $3), true)
      and (event_type = '${VERIFICATION_EVENT}' or coalesce((select w.verification_status = 'verified'
        or w.deleted_at is not null from webhooks w where w.id = $3), true))`;
/** What a claim answers of `deliveries d` and its event `e`. */
export const CLAIMED = `d.id, d.client_id, d.webhook_id, d.target, d.round, d.sends, d.event_id, d.event_type as name,
    d.is_ordered, e.occurred_at, e.data::text as data_text,
    (select max(w.revision) from webhooks w where w.client_id = d.client_id) as revision`;

const INSERT = statement(`
  insert into deliveries (client_id, webhook_id, event_id, event_type, work_item_id, event_seq, is_ordered, lane,
    leased_until)
  select client_id, webhook_id, event_id, event_type, work_item_id, event_seq, is_ordered, lane,
    case when leased then now() + ${LEASE} end
  from unnest($1::int[], $2::int[], $3::uuid[], $4::text[], $5::bigint[], $6::bigint[], $7::boolean[], $8::text[],
      $9::boolean[])
    as d (client_id, webhook_id, event_id, event_type, work_item_id, event_seq, is_ordered, lane, leased)
  on conflict (event_id, webhook_id) do nothing
  returning id, event_id, webhook_id`);
// A loose index scan: one probe for each lane that has anything pending, however much that is. A lane whose webhook is
// inactive is left alone; a deleted one's is not, so that its deliveries end. Of one that is not verified only the lane that
// may hold its challenge comes; of one whose breaker is open, each when a probe is due.
const FREE_LANES = statement(`
  with recursive lanes as (
    (select lane from deliveries where status = 'pending' order by lane limit 1)
    union all
    select (select d.lane from deliveries d where d.status = 'pending' and d.lane > l.lane order by d.lane limit 1)
    from lanes l where l.lane is not null
  )
  select l.lane, w.breaker_opened_at is not null as is_open,
    coalesce(w.rate_limit_per_second is not null or w.breaker_opened_at is not null, false) as is_governed
  from lanes l
  cross join lateral (select d.webhook_id from deliveries d where d.lane = l.lane and ${IS_FREE} order by d.id limit 1) f
  left join webhooks w on w.id = f.webhook_id
  where l.lane is not null and (w.id is null or w.deleted_at is not null
    or (w.is_active and (w.verification_status = 'verified' or l.lane not like '%/ordered')
      and (w.breaker_opened_at is null or w.breaker_probe_at is null or w.breaker_probe_at <= now())))`);
// Takes nothing for a webhook whose deliveries must be admitted: the relay learns that at its next sweep.
const CLAIM = statement(`
  update deliveries d set leased_until = now() + ${LEASE}
  from (
    select id from deliveries where lane = $1 and ${IS_FREE} and ${IS_TAKEN}
      and coalesce((select w.rate_limit_per_second is null and w.breaker_opened_at is null from webhooks w
        where w.id = $3), true)
    order by id limit $2 for update skip locked) c, events e
  where d.id = c.id and e.event_id = d.event_id
  returning ${CLAIMED}`);
const RENEW = statement(`
  update deliveries d set leased_until = now() + ${LEASE} where id = any($1::bigint[]) and ${IS_PENDING}`);
const RELEASE = statement(`
  update deliveries d set leased_until = null where id = any($1::bigint[]) and ${IS_PENDING}`);

export interface NewDelivery {
  clientId: number;
  webhookId: number;
  eventId: string;
  eventType: string;
  workItemId: number | null;
  /** `events.id`. */
  eventSeq: number;
  /** To wait for the earlier deliveries of its webhook and work item: see {@link isOrdered}. */
  isOrdered: boolean;
  /** Taken by the relay that inserts it; else left to whoever has room. */
  leased: boolean;
}

export interface InsertedDelivery extends Record<string, unknown> {
  id: number;
  event_id: string;
  webhook_id: number;
}

export interface ClaimedDelivery extends Record<string, unknown> {
  id: number;
  client_id: number;
  webhook_id: number | null;
  target: CallbackTarget | null;
  round: number;
  sends: number;
  event_id: string;
  name: string;
  is_ordered: boolean;
  occurred_at: Date;
  data_text: string;
  revision: number | null;
}

/** A free lane, and whether its deliveries must be admitted one by one, by limit or breaker. */
export interface FreeLane extends Record<string, unknown> {
  lane: string;
  is_open: boolean;
  is_governed: boolean;
}

/** Whether deliveries of a webhook's event go one after the other: those of a work item, where the webhook asks for it. */
export function isOrdered(endpoint: Pick<Endpoint, 'ordering'>, workItemId: number | null): boolean {
  return endpoint.ordering === 'per_item' && workItemId !== null;
}

const ORDERED = '/ordered';

/** Ordered deliveries have a lane of their own, so that those which wait for their turn stand in nobody's way. */
export function laneOf(webhookId: number, ordered: boolean): string {
  return ordered ? `${webhookLane(webhookId)}${ORDERED}` : webhookLane(webhookId);
}

export function isOrderedLane(lane: string): boolean {
  return lane.endsWith(ORDERED) && webhookIdOfLane(lane) !== null;
}

/** The webhook that a lane belongs to; null for callbacks. */
export function webhookIdOfLane(lane: string): number | null {
  const id = /^webhook\/(\d+)(?:\/ordered)?$/.exec(lane)?.[1];
  return id === undefined ? null : Number(id);
}

/** Inserts deliveries in bulk; one that exists already (same event and webhook) is left out of the answer. */
export function insertDeliveries(tx: Transaction, deliveries: readonly NewDelivery[]): Promise<InsertedDelivery[]> {
  return tx.query<InsertedDelivery>(INSERT, [
    deliveries.map((d) => d.clientId),
    deliveries.map((d) => d.webhookId),
    deliveries.map((d) => d.eventId),
    deliveries.map((d) => d.eventType),
    deliveries.map((d) => d.workItemId),
    deliveries.map((d) => d.eventSeq),
    deliveries.map((d) => d.isOrdered),
    deliveries.map((d) => laneOf(d.webhookId, d.isOrdered)),
    deliveries.map((d) => d.leased),
  ]);
}

/** The lanes that hold a delivery which nobody is sending. */
export function freeLanes(db: SystemDatabase): Promise<FreeLane[]> {
  return db.query<FreeLane>(FREE_LANES);
}

/** The lane's oldest free deliveries, leased. */
export async function claimDeliveries(db: SystemDatabase, lane: string, limit: number): Promise<ClaimedDelivery[]> {
  const rows = await db.query<ClaimedDelivery>(CLAIM, [lane, limit, webhookIdOfLane(lane)]);
  return rows.sort((a, b) => a.id - b.id);
}

export async function renewLeases(db: SystemDatabase, deliveryIds: readonly number[]): Promise<void> {
  await db.query(RENEW, [deliveryIds]);
}

/** Gives deliveries back unsent. */
export async function releaseLeases(db: SystemDatabase, deliveryIds: readonly number[]): Promise<void> {
  await db.query(RELEASE, [deliveryIds]);
}
