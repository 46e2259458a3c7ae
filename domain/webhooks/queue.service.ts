import { statement } from '../../platform/db/statement.ts';
import type { SystemDatabase } from '../../platform/db/database.ts';
import type { Transaction } from '../../platform/db/transaction.ts';
import type { CallbackTarget } from './endpoint.ts';

/**
 * The queue of first sends: deliveries with status `pending`, in lanes. Whoever sends one holds its lease and renews it;
 * a lease that ran out (its relay died) makes the delivery free again. All of it can be repeated.
 */

/** How long a relay that stops renewing keeps a delivery to itself. */
export const LEASE_MS = 2_000;
const LEASE = `interval '${String(LEASE_MS)} milliseconds'`;
const IS_FREE = `status = 'pending' and (leased_until is null or leased_until < now())`;
// For statements that find their rows by id: the planner must not reach for the index of pending deliveries instead,
// which it takes to be all but empty.
const IS_PENDING = `case d.status when 'pending' then true end`;

const INSERT = statement(`
  insert into deliveries (client_id, webhook_id, event_id, event_type, work_item_id, lane, leased_until)
  select client_id, webhook_id, event_id, event_type, work_item_id, lane, case when leased then now() + ${LEASE} end
  from unnest($1::int[], $2::int[], $3::uuid[], $4::text[], $5::bigint[], $6::text[], $7::boolean[])
    as d (client_id, webhook_id, event_id, event_type, work_item_id, lane, leased)
  on conflict (event_id, webhook_id) do nothing
  returning id, event_id, webhook_id`);
// A loose index scan: one probe for each lane that has anything pending, however much that is. A lane whose webhook is
// inactive is left alone; a deleted one's is not, so that its deliveries end.
const FREE_LANES = statement(`
  with recursive lanes as (
    (select lane from deliveries where status = 'pending' order by lane limit 1)
    union all
    select (select d.lane from deliveries d where d.status = 'pending' and d.lane > l.lane order by d.lane limit 1)
    from lanes l where l.lane is not null
  )
  select l.lane from lanes l
  cross join lateral (select d.webhook_id from deliveries d where d.lane = l.lane and ${IS_FREE} order by d.id limit 1) f
  left join webhooks w on w.id = f.webhook_id
  where l.lane is not null and (w.id is null or w.is_active or w.deleted_at is not null)`);
const CLAIM = statement(`
  update deliveries d set leased_until = now() + ${LEASE}
  from (select id from deliveries where lane = $1 and ${IS_FREE} order by id limit $2 for update skip locked) c, events e
  where d.id = c.id and e.event_id = d.event_id
  returning d.id, d.client_id, d.webhook_id, d.target, d.round, d.sends, d.event_id, d.event_type as name,
    e.occurred_at, e.data::text as data_text,
    (select max(w.revision) from webhooks w where w.client_id = d.client_id) as revision`);
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
  lane: string;
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
  occurred_at: Date;
  data_text: string;
  revision: number | null;
}

/** Inserts deliveries in bulk; one that exists already (same event and webhook) is left out of the answer. */
export function insertDeliveries(tx: Transaction, deliveries: readonly NewDelivery[]): Promise<InsertedDelivery[]> {
  return tx.query<InsertedDelivery>(INSERT, [
    deliveries.map((d) => d.clientId),
    deliveries.map((d) => d.webhookId),
    deliveries.map((d) => d.eventId),
    deliveries.map((d) => d.eventType),
    deliveries.map((d) => d.workItemId),
    deliveries.map((d) => d.lane),
    deliveries.map((d) => d.leased),
  ]);
}

/** The lanes that hold a delivery which nobody is sending. */
export async function freeLanes(db: SystemDatabase): Promise<string[]> {
  const rows = await db.query<{ lane: string }>(FREE_LANES);
  return rows.map((row) => row.lane);
}

/** The lane's oldest free deliveries, leased. */
export async function claimDeliveries(db: SystemDatabase, lane: string, limit: number): Promise<ClaimedDelivery[]> {
  const rows = await db.query<ClaimedDelivery>(CLAIM, [lane, limit]);
  return rows.sort((a, b) => a.id - b.id);
}

export async function renewLeases(db: SystemDatabase, deliveryIds: readonly number[]): Promise<void> {
  await db.query(RENEW, [deliveryIds]);
}

/** Gives deliveries back unsent. */
export async function releaseLeases(db: SystemDatabase, deliveryIds: readonly number[]): Promise<void> {
  await db.query(RELEASE, [deliveryIds]);
}
