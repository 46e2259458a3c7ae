import { audit } from '../audit/index.ts';
import type { Caller } from '../contracts/caller.ts';
import { isoMoment } from '../contracts/common.ts';
import { ApiError } from '../contracts/errors.ts';
import type { GenerateRecurringJobInput, RecurringJob } from '../contracts/recurring.ts';
import type { WorkItem } from '../contracts/work-items.ts';
import { recordEvent } from '../events/index.ts';
import { statement } from '../../platform/db/statement.ts';
import type { TenantTransaction } from '../../platform/db/transaction.ts';
import { createWorkItem, findWorkItemIfAny } from '../work-items/index.ts';
import { isUsedUp, lockJob, nextRun, requestSync } from './changes.ts';
import { momentAskedFor } from './moment-asked-for.ts';
import { COLUMNS, viewOf } from './recurring-job.view.ts';
import type { RecurringJobRow } from './recurring-job.view.ts';
import { workItemFor } from './work-item.rules.ts';

const FIND = statement(`
  select status, work_item_id from recurring_job_occurrences
  where client_id = $1 and recurring_job_id = $2 and scheduled_for = $3`);
// A run that failed is tried again by whoever asks for it; one that succeeded stays as it is.
const RECORD = statement(`
  insert into recurring_job_occurrences (client_id, recurring_job_id, scheduled_for, status, work_item_id, at)
  values ($1, $2, $3, 'generated', $4, $5)
  on conflict (recurring_job_id, scheduled_for) do update
    set status = 'generated', work_item_id = excluded.work_item_id, error = null, at = excluded.at
    where recurring_job_occurrences.status = 'failed'`);
const COUNT_ONE = statement(`
  update recurring_jobs set occurrences_generated = occurrences_generated + 1
  where client_id = $1 and id = $2 returning ${COLUMNS}`);
const MOVE_ON = statement(`
  update recurring_jobs set next_occurrence_at = $3, status = $4, revision = revision + $5, updated_at = now()
  where client_id = $1 and id = $2 returning ${COLUMNS}`);

export interface Generated {
  recurring_job: RecurringJob;
  work_item: WorkItem;
  scheduled_for: string;
  already_generated: boolean;
}

/** Generates one occurrence now, ahead of time, after the fact or beside the schedule; once, however often it is asked for. */
export async function generateOccurrence(
  tx: TenantTransaction,
  caller: Caller,
  input: GenerateRecurringJobInput,
  now: number,
): Promise<Generated> {
  const job = await lockJob(tx, input.recurring_job_id);
  const occurrence = occurrenceAskedFor(job, input.scheduled_for, now);
  const known = occurrence === null ? undefined : await findRun(tx, job, occurrence);
  if (occurrence !== null && known?.status === 'generated') {
    const work_item = await itemOf(tx, known.work_item_id);
    return { recurring_job: viewOf(job), work_item, scheduled_for: isoMoment(occurrence), already_generated: true };
  }
  if (occurrence === null || job.status === 'completed' || isUsedUp(job)) {
    throw ApiError.unprocessable('The recurring job is completed: it has no occurrence left to generate.');
  }
  const { row, item } = await generate(tx, caller, job, occurrence, now);
  return {
    recurring_job: viewOf(row),
    work_item: item,
    scheduled_for: isoMoment(occurrence),
    already_generated: false,
  };
}

export interface Run {
  status: 'generated' | 'failed';
  work_item_id: number | null;
}

/** What an occurrence came to, if it was run. */
export async function findRun(tx: TenantTransaction, job: RecurringJobRow, occurrence: Date): Promise<Run | undefined> {
  const [run] = await tx.query<Run & Record<string, unknown>>(FIND, [tx.clientId, job.id, occurrence]);
  return run;
}

/** The work item of an occurrence of a locked job, with all that tells of it. */
export async function generate(
  tx: TenantTransaction,
  caller: Caller,
  job: RecurringJobRow,
  occurrence: Date,
  now: number,
): Promise<{ row: RecurringJobRow; item: WorkItem }> {
  const item = await createWorkItem(tx, caller, workItemFor(job, occurrence.getTime()));
  tx.write(RECORD, [tx.clientId, job.id, occurrence, item.id, new Date(now)]);
  const [counted] = await tx.query<RecurringJobRow>(COUNT_ONE, [tx.clientId, job.id]);
  if (counted === undefined) throw new Error('the locked recurring job is gone');
  const row = isUsedUp(counted) ? await moveOn(tx, counted, null) : counted;
  const view = viewOf(row);
  audit(tx, caller, {
    action: 'recurring_job.generated',
    subjectType: 'recurring_job',
    subjectId: row.recurring_job_id,
    details: { scheduled_for: isoMoment(occurrence), work_item_id: item.work_item_id },
  });
  const data = { recurring_job: view, work_item: item };
  recordEvent(tx, { name: 'recurring_job.generated', data, workItemId: item.id });
  return { row, item };
}

/** Nothing before `next` is due any more; with no next one a job is completed and its schedule goes. */
export async function moveOn(tx: TenantTransaction, job: RecurringJobRow, next: Date | null): Promise<RecurringJobRow> {
  const status = next === null ? 'completed' : job.status;
  const isEnd = status !== job.status;
  const [row] = await tx.query<RecurringJobRow>(MOVE_ON, [tx.clientId, job.id, next, status, isEnd ? 1 : 0]);
  if (row === undefined) throw new Error('the locked recurring job is gone');
  if (isEnd) requestSync(tx, row);
  return row;
}

function occurrenceAskedFor(job: RecurringJobRow, scheduledFor: string | undefined, now: number): Date | null {
  if (scheduledFor === undefined) return job.next_occurrence_at ?? nextRun(job, now);
  return momentAskedFor(job, scheduledFor, now);
}

async function itemOf(tx: TenantTransaction, id: number | null): Promise<WorkItem> {
  const item = await findWorkItemIfAny(tx, String(id));
  if (item !== undefined) return item;
  throw new ApiError('CONFLICT', 'The occurrence was generated, and its work item has been deleted since.');
}
