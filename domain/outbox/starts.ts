import { statement } from '../../platform/db/statement.ts';
import type { SystemDatabase } from '../../platform/db/database.ts';

// A claimed row becomes free again by itself, should its claimer die.
const CLAIM = statement(`
  update workflow_starts s set available_at = now() + interval '10 seconds', attempts = attempts + 1
  from (select id from workflow_starts where available_at <= now() order by available_at limit $1 for update skip locked) c
  where s.id = c.id
  returning s.id, s.client_id, s.workflow_id, s.workflow_type, s.task_queue, s.input, s.attempts`);
const ACKNOWLEDGE = statement(`delete from workflow_starts where id = any($1::bigint[])`);
const POSTPONE = statement(`
  update workflow_starts s set available_at = now() + p.delay_ms * interval '1 millisecond', last_error = p.error
  from unnest($1::bigint[], $2::int[], $3::text[]) as p (id, delay_ms, error) where s.id = p.id`);

export interface WorkflowStartRow extends Record<string, unknown> {
  id: number;
  client_id: number;
  workflow_id: string;
  workflow_type: string;
  task_queue: string;
  input: Record<string, unknown>;
  /** This one included. */
  attempts: number;
}

/** Workflow starts that are due, kept from other relays for 10 s. */
export function claimStarts(db: SystemDatabase, limit: number): Promise<WorkflowStartRow[]> {
  return db.query<WorkflowStartRow>(CLAIM, [limit]);
}

/** Temporal has them. */
export async function acknowledgeStarts(db: SystemDatabase, ids: readonly number[]): Promise<void> {
  await db.query(ACKNOWLEDGE, [ids]);
}

/** Puts starts that failed back, each with the time until it is tried again. */
export async function postponeStarts(
  db: SystemDatabase,
  failed: readonly { id: number; delayMs: number; error: string }[],
): Promise<void> {
  await db.query(POSTPONE, [failed.map((f) => f.id), failed.map((f) => f.delayMs), failed.map((f) => f.error)]);
}

const STATE = statement(`
  select (select count(*) from (select 1 from events where dispatched_at is null limit 10000) e) as events,
    coalesce((select extract(epoch from now() - occurred_at) from events where dispatched_at is null order by id limit 1), 0)::float8 as oldest,
    (select count(*) from (select 1 from workflow_starts limit 10000) s) as starts`);

/** What waits, for the metrics. */
export async function outboxState(
  db: SystemDatabase,
): Promise<{ pendingEvents: number; oldestEventSeconds: number; pendingStarts: number }> {
  const [row] = await db.query<{ events: number; oldest: number; starts: number }>(STATE);
  return {
    pendingEvents: row?.events ?? 0,
    oldestEventSeconds: row?.oldest ?? 0,
    pendingStarts: row?.starts ?? 0,
  };
}
