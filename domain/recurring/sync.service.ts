import type { RecurringJobInput } from '../contracts/workflows.ts';
import { statement } from '../../platform/db/statement.ts';
import type { SystemDatabase } from '../../platform/db/database.ts';
import type { Candidates } from './candidates.rules.ts';
import { candidatesOf } from './candidates.rules.ts';
import { COLUMNS, recurrenceOf } from './recurring-job.view.ts';
import type { RecurringJobRow } from './recurring-job.view.ts';

/** What a job's schedule in Temporal must be. */
export interface WantedSchedule {
  clientId: number;
  recurringJobId: string;
  title: string;
  isPaused: boolean;
  revision: number;
  candidates: Candidates;
}

/** Keeps the schedules; all it does may be repeated. */
export interface ScheduleKeeper {
  put(schedule: WantedSchedule): Promise<void>;
  remove(recurringJobId: string): Promise<void>;
  /** Every schedule of a recurring job, and whether it is paused. May lag some seconds behind. */
  list(): Promise<Map<string, boolean>>;
}

const LOCK = statement(`select pg_advisory_xact_lock(hashtextextended($1, 0))`);
const READ = statement(`select ${COLUMNS} from recurring_jobs where client_id = $1 and recurring_job_id = $2`);
const MARK = statement(`
  update recurring_jobs set schedule_synced_revision = $3, schedule_synced_at = $4 where client_id = $1 and id = $2`);

/**
 * Makes the schedule in Temporal what the row says now. One at a time for each job, behind a lock that no request waits
 * for: of two changes close together the later row is the one that stays.
 */
export async function syncSchedule(
  system: SystemDatabase,
  keeper: ScheduleKeeper,
  { client_id, recurring_job_id }: RecurringJobInput,
  now: number,
): Promise<void> {
  await system.transaction(async (tx) => {
    await tx.query(LOCK, [`recurring/${recurring_job_id}`]);
    const [row] = await tx.query<RecurringJobRow>(READ, [client_id, recurring_job_id]);
    if (row === undefined || row.status === 'completed') await keeper.remove(recurring_job_id);
    else await keeper.put(wanted(row, now));
    if (row !== undefined) tx.write(MARK, [client_id, row.id, row.revision, new Date(now)]);
  });
}

function wanted(row: RecurringJobRow, now: number): WantedSchedule {
  return {
    clientId: row.client_id,
    recurringJobId: row.recurring_job_id,
    title: row.title,
    isPaused: row.status === 'paused',
    revision: row.revision,
    candidates: candidatesOf(recurrenceOf(row), now),
  };
}
