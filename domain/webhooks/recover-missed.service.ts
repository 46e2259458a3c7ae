import { statement } from '../../platform/db/statement.ts';
import type { Queryable, WebhookEndpoint } from './endpoint.ts';
import { looksAtData, matches } from './subscription.ts';

/** Events that one step looks at. */
const STEP = 2_000;
/** Of how many of them the data is held at a time: that of one may be a quarter of a megabyte. */
const DATA_AT_ONCE = 64;
/**
 * A webhook's change and the relays' knowledge of it lie some moments apart: a pause is taken to be longer by this on both
 * sides. What was sent all the same has its delivery, and is left out by that.
 */
const MARGIN_MS = 10_000;
/** Deliveries are kept for thirty days. Of what lies further back nobody knows whether it was sent, so nothing is added to a pause. */
const MARGIN_WITHIN_MS = 29 * 86_400_000;
/** Events are dispatched in the order of their ids, but for what relays do at the same time. */
const DISORDER_MS = 600_000;

const PAUSES = statement(`
  select paused_at, resumed_at from webhook_pauses
  where client_id = $1 and webhook_id = $2 and paused_at < $4 and (resumed_at is null or resumed_at > $3) order by paused_at`);
const NEXT = statement(`
  select id, dispatched_at as at from events
  where client_id = $1 and id >= $2 and dispatched_at is not null order by id limit 1`);
const LAST = statement(`
  select id from events where client_id = $1 and dispatched_at is not null order by id desc limit 1`);
const SCAN = statement(`
  select e.id, e.event_id, e.name, e.work_item_id, e.dispatched_at as at,
    coalesce(e.occurred_at >= $4 and not e.is_addressed and e.erased_at is null and e.name = any($5::text[])
      and exists (select from unnest($6::timestamptz[], $7::timestamptz[]) as p (a, b)
        where e.dispatched_at >= p.a and e.dispatched_at < p.b)
      and not exists (select from deliveries d where d.event_id = e.event_id and d.webhook_id = $8), false) as is_candidate
  from (
    select * from events where client_id = $1 and id > $2 and dispatched_at is not null order by id limit $3) e
  order by e.id`);
const DATA = statement(
  `select id, data::text as data_text from events where client_id = $1 and id = any($2::bigint[])`,
);

export interface MissedEvent {
  id: number;
  event_id: string;
  name: string;
  work_item_id: number | null;
}

interface ScannedRow extends MissedEvent, Record<string, unknown> {
  at: Date;
  is_candidate: boolean;
}

interface Period {
  from: number;
  to: number;
}

/** What a webhook is to be told of: events from `since` on, that were dispatched before `until`. */
export interface MissedSearch {
  since: Date;
  until: Date;
  /** The last event that was looked at. */
  cursor: number;
}

/**
 * One step through the event log, along the times in which the webhook received nothing: the events that it would have
 * received and has no delivery of, and how far the step came.
 */
export async function findMissed(
  db: Queryable,
  endpoint: WebhookEndpoint,
  { since, until, cursor }: MissedSearch,
): Promise<{ missed: MissedEvent[]; cursor: number; isDone: boolean }> {
  const { clientId, webhookId } = endpoint;
  const earliest = new Date(Math.max(since.getTime(), endpoint.createdAt.getTime()));
  const periods = await periodsOf(db, endpoint, { since: earliest, until });
  const start = await startOf(db, clientId, { periods, cursor });
  if (start === undefined) return { missed: [], cursor, isDone: true };
  const rows = await db.query<ScannedRow>(SCAN, [
    clientId,
    start,
    STEP,
    earliest,
    [...endpoint.events],
    periods.map(({ from }) => new Date(from)),
    periods.map(({ to }) => new Date(to)),
    webhookId,
  ]);
  const last = rows.at(-1);
  return {
    missed: await wantedOf(
      db,
      endpoint,
      rows.filter((row) => row.is_candidate),
    ),
    cursor: last?.id ?? start,
    isDone: last === undefined || rows.length < STEP,
  };
}

/** The candidates that the subscription and filters let through. Data is read only where a filter looks at it. */
async function wantedOf(
  db: Queryable,
  endpoint: WebhookEndpoint,
  candidates: readonly ScannedRow[],
): Promise<MissedEvent[]> {
  if (!looksAtData(endpoint)) return candidates.filter(({ name }) => matches(endpoint, { name, data: () => ({}) }));
  const wanted: MissedEvent[] = [];
  for (let start = 0; start < candidates.length; start += DATA_AT_ONCE) {
    const some = candidates.slice(start, start + DATA_AT_ONCE);
    const ids = some.map(({ id }) => id);
    const rows = await db.query<{ id: number; data_text: string }>(DATA, [endpoint.clientId, ids]);
    const textOf = new Map(rows.map((row) => [row.id, row.data_text]));
    wanted.push(...some.filter(({ id, name }) => isFor(endpoint, name, textOf.get(id))));
  }
  return wanted;
}

/** An event that was purged since it was looked at has no text. */
function isFor(endpoint: WebhookEndpoint, name: string, text: string | undefined): boolean {
  if (text === undefined) return false;
  let data: Readonly<Record<string, unknown>> | undefined;
  return matches(endpoint, { name, data: () => (data ??= JSON.parse(text) as Record<string, unknown>) });
}

async function periodsOf(
  db: Queryable,
  { clientId, webhookId }: WebhookEndpoint,
  { since, until }: { since: Date; until: Date },
): Promise<Period[]> {
  const rows = await db.query<{ paused_at: Date; resumed_at: Date | null }>(PAUSES, [
    clientId,
    webhookId,
    since,
    until,
  ]);
  const margin = (at: number): number => (at > until.getTime() - MARGIN_WITHIN_MS ? MARGIN_MS : 0);
  return rows.map(({ paused_at, resumed_at }) => {
    const [begun, ended] = [paused_at.getTime(), resumed_at?.getTime() ?? until.getTime()];
    const from = Math.max(begun - margin(begun), since.getTime());
    return { from, to: Math.min(ended + margin(ended), until.getTime()) };
  });
}

/** Where to go on: behind the cursor, or, where the next pause lies far ahead, just before that. Undefined: nowhere. */
async function startOf(
  db: Queryable,
  clientId: number,
  { periods, cursor }: { periods: readonly Period[]; cursor: number },
): Promise<number | undefined> {
  const next = await eventFrom(db, clientId, cursor + 1);
  if (next === undefined) return undefined;
  const period = periods.find(({ to }) => to > next.at - DISORDER_MS);
  if (period === undefined) return undefined;
  const target = period.from - DISORDER_MS;
  if (next.at >= target) return cursor;
  const [last] = await db.query<{ id: number }>(LAST, [clientId]);
  let [low, high] = [next.id, (last?.id ?? next.id) + 1];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    const found = await eventFrom(db, clientId, middle);
    if (found === undefined || found.at >= target) high = middle;
    else low = found.id + 1;
  }
  return low - 1;
}

async function eventFrom(db: Queryable, clientId: number, id: number): Promise<{ id: number; at: number } | undefined> {
  const [row] = await db.query<{ id: number; at: Date }>(NEXT, [clientId, id]);
  return row === undefined ? undefined : { id: row.id, at: row.at.getTime() };
}
