import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { audit } from '../audit/index.ts';
import type { Caller } from '../contracts/caller.ts';
import { ApiError } from '../contracts/errors.ts';
import type { CreateRecurringJobInput, RecurringJob, UpdateRecurringJobInput } from '../contracts/recurring.ts';
import { recordEvent } from '../events/index.ts';
import { statement } from '../../platform/db/statement.ts';
import type { TenantTransaction } from '../../platform/db/transaction.ts';
import { lockJob, nextRun, requestSync } from './changes.ts';
import { checkTemplate } from './check-template.ts';
import { settleDue } from './due.service.ts';
import { dayOf } from './occurrences.rules.ts';
import { COLUMNS, recurrenceOf, viewOf } from './recurring-job.view.ts';
import type { RecurringJobRow } from './recurring-job.view.ts';
import { checkRecurrence, completeSchedule, timezoneNamed } from './schedule.rules.ts';

const INSERT = statement(`
  insert into recurring_jobs (recurring_job_id, client_id, title, item_type, schedule, start_date, end_date,
    max_occurrences, template, next_occurrence_at, created_by_type, created_by_id)
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12) returning ${COLUMNS}`);
const UPDATE = statement(`
  update recurring_jobs set title = $3, item_type = $4, schedule = $5, start_date = $6, end_date = $7,
    max_occurrences = $8, template = $9, status = $10, next_occurrence_at = $11, revision = revision + 1,
    updated_at = now()
  where client_id = $1 and id = $2 returning ${COLUMNS}`);

/** Creates a recurring job. Its first occurrence is the first one from now on, be the start date in the past or not. */
export async function createRecurringJob(
  tx: TenantTransaction,
  caller: Caller,
  input: CreateRecurringJobInput,
  now: number,
): Promise<RecurringJob> {
  const timezone = timezoneNamed(input.schedule.timezone ?? caller.client.timezone);
  if (timezone === undefined) throw ApiError.invalid('schedule.timezone', 'is not an IANA time zone');
  const startDate = input.start_date ?? dayOf(now, timezone);
  const draft = {
    title: input.title,
    item_type: input.item_type,
    schedule: completeSchedule(input.schedule, { timezone, startDate }),
    start_date: startDate,
    end_date: input.end_date ?? null,
    max_occurrences: input.max_occurrences ?? null,
    template: input.template ?? {},
    occurrences_generated: 0,
  } as RecurringJobRow;
  checkRecurrence(recurrenceOf(draft));
  const next = nextRun(draft, now);
  if (next === null) throw ApiError.invalid('end_date', 'leaves no occurrence from now on');
  await checkTemplate(tx, draft, next.getTime());
  const { type, id } = caller.actor;
  const values = [randomUUID(), tx.clientId, ...columnsOf(draft), next, type, id];
  const [row] = await tx.query<RecurringJobRow>(INSERT, values);
  if (row === undefined) throw new Error('insert into recurring_jobs returned no row');
  const job = viewOf(row);
  audit(tx, caller, { action: 'recurring_job.created', subjectType: 'recurring_job', subjectId: job.recurring_job_id });
  recordEvent(tx, { name: 'recurring_job.created', data: { recurring_job: job } });
  requestSync(tx, row);
  return job;
}

/**
 * Changes what is given. A new schedule counts from now on, and what was due by the old one is decided first; a job whose end is moved out is active again, and one that has
 * no occurrence left is completed. An update that changes nothing leaves no trace.
 */
export async function updateRecurringJob(
  tx: TenantTransaction,
  caller: Caller,
  input: UpdateRecurringJobInput,
  now: number,
): Promise<RecurringJob> {
  const locked = await lockJob(tx, input.recurring_job_id);
  const isRescheduled = hasOtherTimes(locked, withChanges(locked, input));
  const before = isRescheduled ? await settleDue(tx, locked, now) : locked;
  const changed = withChanges(before, input);
  if (isRescheduled || input.end_date !== undefined) checkRecurrence(recurrenceOf(changed));
  // What is due already and waits for its turn stays due, unless the schedule is another.
  const since = isRescheduled || before.next_occurrence_at === null ? now : before.next_occurrence_at.getTime() - 1;
  const next = nextRun(changed, Math.min(since, now));
  if (before.status !== 'paused') changed.status = next === null ? 'completed' : 'active';
  changed.next_occurrence_at = changed.status === 'active' ? next : null;
  if (isDeepStrictEqual(before, changed)) return viewOf(before);
  if (input.template !== undefined || input.item_type !== undefined || isRescheduled) {
    await checkTemplate(tx, changed, next?.getTime() ?? now);
  }
  const values = [tx.clientId, before.id, ...columnsOf(changed), changed.status, changed.next_occurrence_at];
  const [row] = await tx.query<RecurringJobRow>(UPDATE, values);
  if (row === undefined) throw new Error('the locked recurring job is gone');
  const job = viewOf(row);
  audit(tx, caller, {
    action: 'recurring_job.updated',
    subjectType: 'recurring_job',
    subjectId: job.recurring_job_id,
    details: { changes: changesBetween(viewOf(before), job) },
  });
  requestSync(tx, row);
  return job;
}

/** Sent back as it was, a schedule is no new one. */
function hasOtherTimes(before: RecurringJobRow, after: RecurringJobRow): boolean {
  return !isDeepStrictEqual([before.schedule, before.start_date], [after.schedule, after.start_date]);
}

function withChanges(before: RecurringJobRow, input: UpdateRecurringJobInput): RecurringJobRow {
  const startDate = input.start_date ?? before.start_date;
  const timezone = before.schedule.timezone;
  return {
    ...before,
    title: input.title ?? before.title,
    item_type: input.item_type ?? before.item_type,
    schedule:
      input.schedule === undefined ? before.schedule : completeSchedule(input.schedule, { timezone, startDate }),
    start_date: startDate,
    end_date: input.end_date === undefined ? before.end_date : input.end_date,
    max_occurrences: input.max_occurrences === undefined ? before.max_occurrences : input.max_occurrences,
    template: input.template ?? before.template,
  };
}

/** In the order of both statements. */
function columnsOf(job: RecurringJobRow): unknown[] {
  return [
    job.title,
    job.item_type,
    JSON.stringify(job.schedule),
    job.start_date,
    job.end_date,
    job.max_occurrences,
    JSON.stringify(job.template),
  ];
}

const TRACKED = [
  'title',
  'item_type',
  'status',
  'schedule',
  'start_date',
  'end_date',
  'max_occurrences',
  'template',
] as const;

function changesBetween(before: RecurringJob, after: RecurringJob): Record<string, { from: unknown; to: unknown }> {
  const differs = TRACKED.filter((field) => JSON.stringify(before[field]) !== JSON.stringify(after[field]));
  return Object.fromEntries(differs.map((field) => [field, { from: before[field], to: after[field] }]));
}
