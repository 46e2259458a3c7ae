import { audit } from '../audit/index.ts';
import { systemCaller } from '../tenancy/index.ts';
import type { RecurringJobInput } from '../contracts/workflows.ts';
import { statement } from '../../platform/db/statement.ts';
import type { SystemDatabase, TenantDatabase } from '../../platform/db/database.ts';
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
  /** Throws {@link ScheduleRefusedError} for one that will never be taken as it is. */
  put(schedule: WantedSchedule): Promise<void>;
  remove(recurringJobId: string): Promise<void>;
  /** Every schedule of a recurring job, and whether it is paused. May lag some seconds behind. */
  list(): Promise<Map<string, boolean>>;
}

/** The schedule itself is wrong: trying again doesn't help. */
export class ScheduleRefusedError extends Error {}

export interface SyncDeps {
  system: SystemDatabase;
  tenants: TenantDatabase;
  keeper: ScheduleKeeper;
}

/** Changes of one job that may overtake a sync before it gives up and is begun again later. */
const MAX_ROUNDS = 10;
const READ = statement(`select ${COLUMNS} from recurring_jobs where client_id = $1 and recurring_job_id = $2`);
const MARK = statement(`
  update recurring_jobs set schedule_synced_revision = revision, schedule_synced_at = $4, schedule_error = $5
  where client_id = $1 and id = $2 and revision = $3 returning id`);

/**
 * Makes the schedule in Temporal what the row says now. No connection and no lock is held while Temporal is asked: whoever
 * has put a revision looks afterwards whether it is still the row's, and begins again if not. So of two changes close
 * together the later one stays, whichever is put last.
 */
export async function syncSchedule(deps: SyncDeps, input: RecurringJobInput, now: number): Promise<void> {
  const { client_id, recurring_job_id } = input;
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    const [row] = await deps.system.query<RecurringJobRow>(READ, [client_id, recurring_job_id]);
    const refusal = await keep(deps.keeper, recurring_job_id, row, now);
    if (row === undefined || (await mark(deps, row, refusal, now))) return;
  }
  throw new Error(`recurring job ${recurring_job_id} changes faster than its schedule can follow`);
}

/** Answers why the schedule was refused for good, if it was. */
async function keep(
  keeper: ScheduleKeeper,
  id: string,
  row: RecurringJobRow | undefined,
  now: number,
): Promise<string | null> {
  try {
    if (row === undefined || row.status === 'completed') await keeper.remove(id);
    else await keeper.put(wanted(row, now));
    return null;
  } catch (error) {
    if (error instanceof ScheduleRefusedError) return error.message;
    throw error;
  }
}

/** Whether the row is still the one that the schedule was made of. A new refusal goes to the audit trail with it. */
async function mark(
  { system, tenants }: SyncDeps,
  row: RecurringJobRow,
  refusal: string | null,
  now: number,
): Promise<boolean> {
  const values = [row.client_id, row.id, row.revision, new Date(now), refusal];
  if (refusal === null || refusal === row.schedule_error) return (await system.query(MARK, values)).length > 0;
  return tenants.transaction(row.client_id, async (tx) => {
    if ((await tx.query(MARK, values)).length === 0) return false;
    audit(tx, await systemCaller(tx, `recurring-job/${row.recurring_job_id}`), {
      action: 'recurring_job.schedule_refused',
      subjectType: 'recurring_job',
      subjectId: row.recurring_job_id,
      details: { error: refusal },
    });
    return true;
  });
}

function wanted(row: RecurringJobRow, now: number): WantedSchedule {
  return {
    clientId: row.client_id,
    recurringJobId: row.recurring_job_id,
    title: row.title,
    isPaused: row.status === 'paused',
    revision: row.revision,
    candidates: candidatesFor(row, now),
  };
}

function candidatesFor(row: RecurringJobRow, now: number): Candidates {
  try {
    return candidatesOf(recurrenceOf(row), now);
  } catch (error) {
    // A time zone that we no longer know, say: the row won't make sense a minute later either.
    throw new ScheduleRefusedError((error as Error).message, { cause: error });
  }
}
