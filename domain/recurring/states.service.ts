import { audit } from '../audit/index.ts';
import type { Caller } from '../contracts/caller.ts';
import { ApiError } from '../contracts/errors.ts';
import type { RecurringJob } from '../contracts/recurring.ts';
import { recordEvent } from '../events/index.ts';
import { statement } from '../../platform/db/statement.ts';
import type { TenantTransaction } from '../../platform/db/transaction.ts';
import { lockJob, nextRun, requestSync } from './changes.ts';
import { settleDue } from './due.service.ts';
import { COLUMNS, viewOf } from './recurring-job.view.ts';
import type { RecurringJobRow } from './recurring-job.view.ts';

const SET_STATE = statement(`
  update recurring_jobs set status = $3, next_occurrence_at = $4, paused_at = $5, pause_reason = $6,
    revision = revision + 1, updated_at = now()
  where client_id = $1 and id = $2 returning ${COLUMNS}`);

const DELETE_RUNS = statement(`
  delete from recurring_job_occurrences where client_id = $1 and recurring_job_id = $2`);
const DELETE = statement(`delete from recurring_jobs where client_id = $1 and id = $2`);

interface Change {
  recurring_job_id: string;
  reason?: string | undefined;
}

/** Stops generating from now on, until it is resumed. A job that is paused already is left as it is. */
export async function pauseRecurringJob(
  tx: TenantTransaction,
  caller: Caller,
  { recurring_job_id, reason }: Change,
  now: number,
): Promise<RecurringJob> {
  const before = await settleDue(tx, await lockJob(tx, recurring_job_id), now);
  if (before.status === 'paused') return viewOf(before);
  if (before.status === 'completed') throw ended();
  const row = await setState(tx, before, ['paused', null, new Date(now), reason ?? null]);
  return announce(tx, caller, row, 'recurring_job.paused', reason);
}

/** Goes on with the first occurrence from now on: those that fell into the pause are not made up for. */
export async function resumeRecurringJob(
  tx: TenantTransaction,
  caller: Caller,
  { recurring_job_id, reason }: Change,
  now: number,
): Promise<RecurringJob> {
  const before = await lockJob(tx, recurring_job_id);
  if (before.status === 'active') return viewOf(before);
  const next = nextRun(before, now);
  if (before.status === 'completed' || next === null) throw ended();
  const row = await setState(tx, before, ['active', next, null, null]);
  return announce(tx, caller, row, 'recurring_job.resumed', reason);
}

/** Deletes it for good; what it has generated stays. A schedule without a row goes (sync.service). */
export async function deleteRecurringJob(
  tx: TenantTransaction,
  caller: Caller,
  id: string,
): Promise<{ recurring_job_id: string; deleted: true }> {
  const row = await lockJob(tx, id);
  tx.write(DELETE_RUNS, [tx.clientId, row.id]);
  tx.write(DELETE, [tx.clientId, row.id]);
  const { recurring_job_id, title, schedule, occurrences_generated } = viewOf(row);
  audit(tx, caller, {
    action: 'recurring_job.deleted',
    subjectType: 'recurring_job',
    subjectId: recurring_job_id,
    details: { title, schedule, occurrences_generated },
  });
  requestSync(tx, { ...row, revision: row.revision + 1 });
  return { recurring_job_id, deleted: true };
}

async function setState(tx: TenantTransaction, before: RecurringJobRow, values: unknown[]): Promise<RecurringJobRow> {
  const [row] = await tx.query<RecurringJobRow>(SET_STATE, [tx.clientId, before.id, ...values]);
  if (row === undefined) throw new Error('the locked recurring job is gone');
  return row;
}

function announce(
  tx: TenantTransaction,
  caller: Caller,
  row: RecurringJobRow,
  event: 'recurring_job.paused' | 'recurring_job.resumed',
  reason: string | undefined,
): RecurringJob {
  const job = viewOf(row);
  const subject = { subjectType: 'recurring_job', subjectId: job.recurring_job_id };
  audit(tx, caller, { action: event, ...subject, ...(reason === undefined ? {} : { details: { reason } }) });
  recordEvent(tx, { name: event, data: { recurring_job: job } });
  requestSync(tx, row);
  return job;
}

function ended(): ApiError {
  return ApiError.unprocessable(
    'The recurring job is completed: it has no occurrence left. Move its end_date or max_occurrences with update-recurring-job.',
  );
}
