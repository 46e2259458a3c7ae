import type { RecurringJobInput } from '../contracts/workflows.ts';
import { statement } from '../../platform/db/statement.ts';
import type { SystemDatabase } from '../../platform/db/database.ts';

/** A change that is younger is on its way through the outbox. */
const GRACE_MS = 30_000;
/** Every schedule is written anew so often: it may have been edited by hand, and it knows the clocks' changes of a year. */
const REFRESH_MS = 24 * 3_600_000;
/** Something that is due for so long was not fired. */
const OVERDUE_MS = 120_000;
const PAGE = 1_000;

const PAGE_OF_JOBS = statement(`
  select id, client_id, recurring_job_id, status,
    (schedule_synced_revision <> revision and updated_at < $2) or coalesce(schedule_synced_at < $3, false) as is_stale,
    schedule_synced_revision = revision as is_synced, schedule_error is not null as is_refused
  from recurring_jobs
  where id > $1 and (status <> 'completed' or schedule_synced_revision <> revision) order by id limit ${String(PAGE)}`);
const OVERDUE = statement(`
  select client_id, recurring_job_id from recurring_jobs
  where status = 'active' and next_occurrence_at < $1 order by next_occurrence_at limit ${String(PAGE)}`);

interface JobState extends Record<string, unknown> {
  id: number;
  client_id: number;
  recurring_job_id: string;
  status: 'active' | 'paused' | 'completed';
  is_stale: boolean;
  is_synced: boolean;
  is_refused: boolean;
}

/** Jobs whose schedule is not what it should be, and schedules that no job wants. */
export interface Drift {
  jobs: RecurringJobInput[];
  orphans: string[];
}

/**
 * Holds the schedules that exist against the rows: heals a crash between the two, a schedule that was deleted or paused by
 * hand, and a Temporal that has lost everything.
 */
export async function findDrift(
  system: SystemDatabase,
  existing: ReadonlyMap<string, boolean>,
  now: number,
): Promise<Drift> {
  const jobs: RecurringJobInput[] = [];
  const orphans = new Set(existing.keys());
  for (let after = 0; ;) {
    const values = [after, new Date(now - GRACE_MS), new Date(now - REFRESH_MS)];
    const page = await system.query<JobState>(PAGE_OF_JOBS, values);
    for (const job of page) {
      orphans.delete(job.recurring_job_id);
      const { client_id, recurring_job_id } = job;
      if (hasDrifted(job, existing.get(recurring_job_id))) jobs.push({ client_id, recurring_job_id });
    }
    const last = page.at(-1);
    if (last === undefined || page.length < PAGE) return { jobs, orphans: [...orphans] };
    after = last.id;
  }
}

/** Jobs with an occurrence that should have been run by now. */
export async function findOverdue(system: SystemDatabase, now: number): Promise<RecurringJobInput[]> {
  const rows = await system.query<RecurringJobInput & Record<string, unknown>>(OVERDUE, [new Date(now - OVERDUE_MS)]);
  return rows.map(({ client_id, recurring_job_id }) => ({ client_id, recurring_job_id }));
}

function hasDrifted(job: JobState, isPaused: boolean | undefined): boolean {
  if (job.is_stale) return true;
  // A change that is on its way is not held against the schedule.
  if (!job.is_synced || job.status === 'completed') return false;
  // Refused for good, it is asked for again when it changes, and once a day.
  if (job.is_refused) return false;
  return isPaused !== (job.status === 'paused');
}
