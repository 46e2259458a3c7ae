import { isoMoment } from '../contracts/common.ts';
import type { ItemType } from '../contracts/work-items.ts';
import type { RecurringJob, RecurringSchedule, RecurringTemplate } from '../contracts/recurring.ts';
import type { Recurrence } from './occurrences.rules.ts';

/** Columns of `recurring_jobs` that make a {@link RecurringJobRow}. Days as text: a driver's Date would shift them. */
export const COLUMNS = `id, recurring_job_id, client_id, title, item_type, status, schedule, start_date::text as start_date,
  end_date::text as end_date, max_occurrences, template, occurrences_generated, next_occurrence_at, paused_at,
  pause_reason, revision, created_at, updated_at`;

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
  next_occurrence_at: Date | null;
  paused_at: Date | null;
  pause_reason: string | null;
  revision: number;
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
    next_occurrence_at: isoMoment(row.next_occurrence_at),
    paused_at: isoMoment(row.paused_at),
    pause_reason: row.pause_reason,
    created_at: isoMoment(row.created_at),
    updated_at: isoMoment(row.updated_at),
  };
}

export function recurrenceOf({ schedule, start_date, end_date }: RecurringJobRow): Recurrence {
  return { schedule, start_date, end_date };
}
