import { isoMoment } from '../contracts/common.ts';
import type { ItemType } from '../contracts/work-items.ts';
import type { RecurringJob, RecurringSchedule, RecurringTemplate } from '../contracts/recurring.ts';
import { nextOccurrences } from './occurrences.rules.ts';
import type { Recurrence } from './occurrences.rules.ts';

/** Columns of `recurring_jobs` that make a {@link RecurringJobRow}. Days as text: a driver's Date would shift them. */
export const COLUMNS = `id, recurring_job_id, client_id, title, item_type, status, schedule, start_date::text as start_date,
  end_date::text as end_date, max_occurrences, template, occurrences_generated, next_occurrence_at, paused_at,
  pause_reason, revision, schedule_error, created_at, updated_at,
  array(select o.scheduled_for from recurring_job_occurrences o
    where o.client_id = recurring_jobs.client_id and o.recurring_job_id = recurring_jobs.id and o.status = 'generated'
      and o.scheduled_for >= recurring_jobs.next_occurrence_at) as generated_ahead`;

export interface RecurringJobRow extends Record<string, unknown> {
  id: number;
  recurring_job_id: string;
  client_id: number;
  title: string;
  item_type: ItemType;
  status: RecurringJob['status'];
  schedule: RecurringSchedule;
  start_date: string;
  end_date: string | null;
  max_occurrences: number | null;
  template: RecurringTemplate;
  occurrences_generated: number;
  /** What is due next, be it generated ahead of its time or not. */
  next_occurrence_at: Date | null;
  /** Of the occurrences from then on, those that have their item already. */
  generated_ahead: Date[];
  paused_at: Date | null;
  pause_reason: string | null;
  revision: number;
  /** Why Temporal will not have the schedule; null when it has it, or was not asked yet. */
  schedule_error: string | null;
  created_at: Date;
  updated_at: Date;
}

export function viewOf(row: RecurringJobRow): RecurringJob {
  return {
    recurring_job_id: row.recurring_job_id,
    client_id: row.client_id,
    title: row.title,
    item_type: row.item_type,
    status: row.status,
    schedule: row.schedule,
    start_date: row.start_date,
    end_date: row.end_date,
    max_occurrences: row.max_occurrences,
    template: row.template,
    occurrences_generated: row.occurrences_generated,
    next_occurrence_at:
      row.generated_ahead.length === 0 ? isoMoment(row.next_occurrence_at) : (upcoming(row, 1)[0] ?? null),
    paused_at: isoMoment(row.paused_at),
    pause_reason: row.pause_reason,
    created_at: isoMoment(row.created_at),
    updated_at: isoMoment(row.updated_at),
  };
}

/** The next occurrences that have no item yet. */
export function upcoming(row: RecurringJobRow, count: number): string[] {
  const { next_occurrence_at: next, generated_ahead, max_occurrences, occurrences_generated } = row;
  if (next === null) return [];
  const most = max_occurrences === null ? count : Math.min(count, max_occurrences - occurrences_generated);
  if (most <= 0) return [];
  const made = new Set(generated_ahead.map((moment) => moment.getTime()));
  const moments = nextOccurrences(recurrenceOf(row), next.getTime() - 1, most + made.size);
  return moments
    .filter((moment) => !made.has(moment))
    .slice(0, most)
    .map((moment) => isoMoment(new Date(moment)));
}

export function recurrenceOf({ schedule, start_date, end_date }: RecurringJobRow): Recurrence {
  return { schedule, start_date, end_date };
}
