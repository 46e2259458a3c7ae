import { TASK_QUEUE, WORKFLOW, recurringSyncWorkflowId } from '../contracts/workflows.ts';
import type { RecurringJobInput } from '../contracts/workflows.ts';
import { ApiError } from '../contracts/errors.ts';
import { requestWorkflowStart } from '../outbox/index.ts';
import { statement } from '../../platform/db/statement.ts';
import type { TenantTransaction } from '../../platform/db/transaction.ts';
import { nextOccurrence } from './occurrences.rules.ts';
import { COLUMNS, recurrenceOf } from './recurring-job.view.ts';
import type { RecurringJobRow } from './recurring-job.view.ts';

const LOCK = statement(`
  select ${COLUMNS} from recurring_jobs where client_id = $1 and recurring_job_id = $2 for no key update`);

/** The job, and no other transaction changes it until this one ends. */
export async function lockJob(tx: TenantTransaction, id: string): Promise<RecurringJobRow> {
  const row = await tryLockJob(tx, id);
  if (row === undefined) throw ApiError.notFound('recurring job', id);
  return row;
}

export async function tryLockJob(tx: TenantTransaction, id: string): Promise<RecurringJobRow | undefined> {
  const [row] = await tx.query<RecurringJobRow>(LOCK, [tx.clientId, id]);
  return row;
}

/** Asks for the Temporal Schedule to be made what this revision of the row says. */
export function requestSync(tx: TenantTransaction, row: RecurringJobRow): void {
  const input: RecurringJobInput = { client_id: tx.clientId, recurring_job_id: row.recurring_job_id };
  requestWorkflowStart(tx, {
    workflowType: WORKFLOW.syncRecurringSchedule,
    workflowId: recurringSyncWorkflowId(row.recurring_job_id, row.revision),
    taskQueue: TASK_QUEUE.platform,
    input,
  });
}

/** The first occurrence after a moment that the job still has to run, its limit considered. */
export function nextRun(row: RecurringJobRow, after: number): Date | null {
  if (isUsedUp(row)) return null;
  const next = nextOccurrence(recurrenceOf(row), after);
  return next === undefined ? null : new Date(next);
}

/** Whether it has generated all the items that it may. */
export function isUsedUp(row: Pick<RecurringJobRow, 'max_occurrences' | 'occurrences_generated'>): boolean {
  return row.max_occurrences !== null && row.occurrences_generated >= row.max_occurrences;
}
