import { statement } from '../../platform/db/statement.ts';
import type { SystemDatabase } from '../../platform/db/database.ts';
import type { Transaction } from '../../platform/db/transaction.ts';
import { admit, MAX_DEBT_SECONDS } from './queue-admission.rules.ts';
import type { Admission } from './queue-admission.rules.ts';
import { CLAIMED, IS_FREE, IS_PENDING, IS_TAKEN, isOrderedLane, LEASE, webhookIdOfLane } from './queue.service.ts';
import type { ClaimedDelivery } from './queue.service.ts';
import { noteProbe } from './webhook-health.service.ts';

/**
 * Claims for endpoints that have a say in what is sent when: a rate limit, an open breaker, an order. The webhook's row is
 * locked meanwhile, so all relays together keep to it.
 */

// A refill in the future was made before the clock was set back: it is as if there had been none.
const SINCE_REFILL = `extract(epoch from case when w.rate_refilled_at < clock_timestamp() + interval '1 second'
  then clock_timestamp() - w.rate_refilled_at end)::float8`;
const LOCK = statement(`
  select w.rate_limit_per_second as limit, w.rate_tokens as tokens, ${SINCE_REFILL} as since_refill,
    clock_timestamp() as at,
    case when w.breaker_opened_at is not null
      then coalesce(extract(epoch from w.breaker_probe_at - clock_timestamp()) * 1000, 0)::float8 end as probe_in_ms
  from webhooks w where w.id = $1 for update`);
const SPEND = statement(`
  update webhooks set rate_tokens = $2, rate_refilled_at = case
    when rate_refilled_at < clock_timestamp() + interval '1 second' then greatest(rate_refilled_at, $3) else $3 end
  where id = $1`);
const CLAIM_OLDEST = statement(`
  update deliveries d set leased_until = now() + ${LEASE}
  from (
    select id from deliveries where lane = $1 and ${IS_FREE} and ${IS_TAKEN}
    order by id limit $2 for update skip locked) c, events e
  where d.id = c.id and e.event_id = d.event_id
  returning ${CLAIMED}`);
/** Work items that one statement looks at, and statements that one claim makes of it. */
const MAX_ITEMS = 256;
const MAX_LOOKS = 8;
/** Deliveries of an item that are looked through for one on its way: a replay may have put others before it. */
const MAX_BEFORE = 64;
// The head of each work item's queue: a loose index scan, one probe for each item however much waits behind it, from item
// $2 on. An item waits while one of its deliveries is on its way (being sent, or retried), and while an earlier event of it
// is not dispatched yet (another relay is at it). The last item looked at is answered too, with no id.
const FIND_HEADS = statement(`
  with recursive heads as (
    (select work_item_id, event_seq, 1 as nth from deliveries
     where webhook_id = $1 and is_ordered and status in ('pending', 'retrying') and work_item_id > $2
     order by webhook_id, work_item_id, event_seq limit 1)
    union all
    select n.work_item_id, n.event_seq, h.nth + 1 from heads h cross join lateral (
      select work_item_id, event_seq from deliveries
      where webhook_id = $1 and is_ordered and status in ('pending', 'retrying') and work_item_id > h.work_item_id
      order by webhook_id, work_item_id, event_seq limit 1) n
    where h.nth < ${String(MAX_ITEMS)})
  select h.work_item_id, f.id from heads h left join lateral (
    select d.id from deliveries d
    where d.webhook_id = $1 and d.is_ordered and d.work_item_id = h.work_item_id and d.event_seq = h.event_seq
      and d.status = 'pending' and (d.leased_until is null or d.leased_until < now())
      and not exists (select from (
        select o.status, o.leased_until from deliveries o
        where o.webhook_id = $1 and o.is_ordered and o.status in ('pending', 'retrying')
          and o.work_item_id = h.work_item_id
        order by o.webhook_id, o.work_item_id, o.event_seq limit ${String(MAX_BEFORE)}) o
        where o.status = 'retrying' or o.leased_until >= now())
      and not exists (select from events e where e.dispatched_at is null and e.id < h.event_seq
        and e.work_item_id = h.work_item_id)
    limit 1) f on true
  where f.id is not null or h.nth = ${String(MAX_ITEMS)}
  order by h.nth`);
const CLAIM_BY_ID = statement(`
  update deliveries d set leased_until = now() + ${LEASE}
  from unnest($1::bigint[]) c (id), events e where d.id = c.id and e.event_id = d.event_id and ${IS_PENDING}
  returning ${CLAIMED}`);
// As `tokensNow` has it.
const REFILLED = `least(w.rate_limit_per_second, case when ${SINCE_REFILL} is null then w.rate_limit_per_second
  else greatest(w.rate_tokens, -${String(MAX_DEBT_SECONDS)} * w.rate_limit_per_second - 1)
    + w.rate_limit_per_second * greatest(0, ${SINCE_REFILL}) end)`;
const TAKE = statement(`
  update webhooks w set rate_tokens = ${REFILLED} - 1, rate_refilled_at = clock_timestamp()
  where w.id = $1 and w.rate_limit_per_second is not null
    and ${REFILLED} > -${String(MAX_DEBT_SECONDS)} * w.rate_limit_per_second
  returning greatest(0, -w.rate_tokens / w.rate_limit_per_second * 1000)::float8 as wait_ms`);

interface LockedRow extends Record<string, unknown> {
  limit: number | null;
  tokens: number;
  since_refill: number | null;
  at: Date;
  probe_in_ms: number | null;
}

export interface AdmittedClaim {
  deliveries: ClaimedDelivery[];
  /** When more may be sent, as far as that is known. */
  waitMs: number | null;
  /** Whether the next claim of this lane must be admitted too. */
  isGoverned: boolean;
  /** Milliseconds until an open breaker is probed again; null: it is closed. */
  probeInMs: number | null;
  /** For an ordered lane: the work item to go on after; 0: from the beginning. */
  nextItem: number;
}

/** As many of a lane's deliveries as its webhook admits now, at most `wanted`, leased. */
export function claimAdmitted(
  db: SystemDatabase,
  lane: string,
  { wanted, afterItem }: { wanted: number; afterItem: number },
): Promise<AdmittedClaim> {
  const webhookId = webhookIdOfLane(lane);
  return db.transaction(async (tx) => {
    const [row] = webhookId === null ? [] : await tx.query<LockedRow>(LOCK, [webhookId]);
    const state = {
      limit: row?.limit ?? null,
      tokens: row?.tokens ?? 0,
      sinceRefill: row?.since_refill ?? null,
      probeInMs: row?.probe_in_ms ?? null,
    };
    const admission = admit(state, wanted);
    const isOrdered = isOrderedLane(lane);
    const claimed = isOrdered
      ? await claimHeads(tx, webhookId ?? 0, admission.count, afterItem)
      : { deliveries: await claimOldest(tx, lane, admission.count), nextItem: 0 };
    const { deliveries } = claimed;
    if (row !== undefined && webhookId !== null && deliveries.length > 0) {
      if (row.limit !== null) tx.write(SPEND, [webhookId, admission.tokens - deliveries.length, row.at]);
      if (admission.isProbe) noteProbe(tx, webhookId);
    }
    const isGoverned = isOrdered || state.limit !== null || state.probeInMs !== null;
    return { ...claimed, isGoverned, waitMs: waitOf(admission, deliveries.length), probeInMs: state.probeInMs };
  });
}

/** Where fewer were there than were admitted, nothing waits for a time: more comes, and wakes the lane. */
function waitOf({ count, waitMs }: Admission, claimed: number): number | null {
  return claimed < count ? null : waitMs;
}

async function claimOldest(tx: Transaction, lane: string, count: number): Promise<ClaimedDelivery[]> {
  if (count === 0) return [];
  const rows = await tx.query<ClaimedDelivery>(CLAIM_OLDEST, [lane, count, webhookIdOfLane(lane)]);
  return rows.sort((a, b) => a.id - b.id);
}

/** Goes round the items, from where the last claim ended, until enough are found or all were looked at. */
async function claimHeads(
  tx: Transaction,
  webhookId: number,
  count: number,
  afterItem: number,
): Promise<{ deliveries: ClaimedDelivery[]; nextItem: number }> {
  const ids = new Set<number>();
  let from = afterItem;
  let isRound = afterItem === 0;
  for (let looks = 0; looks < MAX_LOOKS && ids.size < count; looks += 1) {
    const heads = await tx.query<{ work_item_id: number; id: number | null }>(FIND_HEADS, [webhookId, from]);
    const isCut = heads.length > 0 && heads.at(-1)?.id === null;
    for (const { work_item_id: item, id } of heads) {
      if (ids.size === count) break;
      if (id !== null) ids.add(id);
      from = item;
    }
    if (isCut || ids.size === count) continue;
    from = 0;
    if (isRound) break;
    isRound = true;
  }
  if (ids.size === 0) return { deliveries: [], nextItem: from };
  const rows = await tx.query<ClaimedDelivery>(CLAIM_BY_ID, [[...ids]]);
  return { deliveries: rows.sort((a, b) => a.id - b.id), nextItem: from };
}

/**
 * Takes a token for a retry, or promises it one to come: answers how long to wait before the send. `isTaken` false: so
 * many have been promised that it must ask again after that time.
 */
export async function takeToken(db: SystemDatabase, webhookId: number): Promise<{ isTaken: boolean; waitMs: number }> {
  const [row] = await db.query<{ wait_ms: number }>(TAKE, [webhookId]);
  if (row !== undefined) return { isTaken: true, waitMs: Math.ceil(row.wait_ms) };
  return { isTaken: false, waitMs: 5_000 + Math.floor(Math.random() * 5_000) };
}
