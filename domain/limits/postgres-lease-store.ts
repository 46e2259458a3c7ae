import type { SystemDatabase } from '../../platform/db/database.ts';
import { statement } from '../../platform/db/statement.ts';
import { LeaseQueue } from './lease-queue.ts';
import type { Lease, LeaseRequest, LeaseStore } from './lease-store.ts';

/**
 * The size of a slice, in SQL because only the store knows what is left: a tenth of it, at most a quarter of the burst,
 * so that it shrinks to single tokens as the window runs out and no process sits on the last ones.
 */
const granted = (left: string, leftOfSecond: string): string => `
  greatest(0, least(${left}, ${leftOfSecond}, greatest(waiting, least(greatest(burst / 4, 1), (${left} + 9) / 10))))`;

/**
 * One statement for all, so one round trip; a row stays locked between what is read of it and what is written. Rows are
 * locked in one order by every process, here and in giving back: nobody waits in a circle.
 */
const LEASE = statement(`
  with asked as (
    select * from unnest($1::text[], $2::int[], $3::int[], $4::float8[], $5::int[], $6::int[])
      as a (subject, per_window, burst, window_ms, waiting, spent)
  )
  insert into rate_windows as w (subject, ends_at, used, second_ends_at, second_used, granted)
  select subject, now() + window_ms * interval '1 millisecond', spent + slice, now() + interval '1 second', slice, slice
  from asked, lateral (select ${granted('(per_window - spent)', 'burst')} as slice) first
  order by subject
  on conflict (subject) do update set (ends_at, used, second_ends_at, second_used, granted) = (
    select ends, taken + slice, second_ends, second_taken + slice, slice
    from asked, lateral (
      select case when w.ends_at <= now() then excluded.ends_at else w.ends_at end as ends,
        case when w.ends_at <= now() then 0 else w.used end + spent as taken,
        case when w.second_ends_at <= now() then excluded.second_ends_at else w.second_ends_at end as second_ends,
        case when w.second_ends_at <= now() then 0 else w.second_used end as second_taken
    ) current, lateral (
      select ${granted('(per_window - taken)', '(burst - second_taken)')} as slice
    ) next
    where asked.subject = w.subject)
  returning subject, granted, used,
    (extract(epoch from ends_at) * 1000)::float8 as window_id,
    (extract(epoch from ends_at - now()) * 1000)::float8 as ends_in_ms,
    (extract(epoch from second_ends_at - now()) * 1000)::float8 as second_ends_in_ms`);

// A subject may come more than once: an update takes one row of each.
const GIVE_BACK = statement(`
  with returned as (
    select subject, to_timestamp(window_id / 1000)::timestamptz(3) as ends_at, sum(tokens)::int as tokens
    from unnest($1::text[], $2::float8[], $3::int[]) as r (subject, window_id, tokens) group by 1, 2
  ), locked as (
    select w.subject, r.tokens from rate_windows w join returned r using (subject, ends_at)
    order by w.subject for update of w
  )
  update rate_windows w set used = greatest(w.used - locked.tokens, 0) from locked where w.subject = locked.subject`);

interface LeaseRow extends Record<string, unknown> {
  subject: string;
  granted: number;
  used: number;
  window_id: number;
  ends_in_ms: number;
  second_ends_in_ms: number;
}

export function createPostgresLeaseStore(system: SystemDatabase): LeaseStore {
  const queue = new LeaseQueue((requests) => leaseAll(system, requests));
  return {
    lease: (request) => queue.lease(request),
    async giveBack(returned) {
      await system.query(GIVE_BACK, [
        returned.map(({ subject }) => subject),
        returned.map(({ windowId }) => windowId),
        returned.map(({ tokens }) => tokens),
      ]);
    },
  };
}

async function leaseAll(system: SystemDatabase, requests: readonly LeaseRequest[]): Promise<Map<string, Lease>> {
  const rows = await system.query<LeaseRow>(LEASE, [
    requests.map(({ subject }) => subject),
    requests.map(({ perWindow }) => perWindow),
    requests.map(({ burst }) => burst),
    requests.map(({ windowMs }) => windowMs),
    requests.map(({ waiting }) => waiting),
    requests.map(({ spent }) => spent),
  ]);
  const bySubject = new Map(rows.map((row) => [row.subject, row]));
  const leases = new Map<string, Lease>();
  for (const { subject, perWindow, windowMs } of requests) {
    const row = bySubject.get(subject);
    if (row !== undefined) leases.set(subject, leaseOf(row, perWindow, windowMs));
  }
  return leases;
}

function leaseOf(row: LeaseRow, perWindow: number, windowMs: number): Lease {
  return {
    granted: row.granted,
    left: Math.max(perWindow - row.used, 0),
    windowId: Math.round(row.window_id),
    // The column keeps whole milliseconds and may have been rounded up past the window's length.
    endsInMs: Math.min(row.ends_in_ms, windowMs),
    secondEndsInMs: row.second_ends_in_ms,
  };
}
