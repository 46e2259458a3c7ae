import { isoMoment, momentOf } from '../contracts/common.ts';
import { ApiError } from '../contracts/errors.ts';
import { dayOf, nextOccurrence, occurrenceOn } from './occurrences.rules.ts';
import { recurrenceOf } from './recurring-job.view.ts';
import type { RecurringJobRow } from './recurring-job.view.ts';

const YEAR_MS = 366 * 86_400_000;
const YEARS_BEFORE = 1;
const YEARS_AHEAD = 10;

/**
 * The moment that a caller names: of a date, the occurrence of that day; any other moment is an occurrence of its own.
 * Refuses a day without one, and moments that can only be a slip of the pen.
 */
export function momentAskedFor(job: RecurringJobRow, scheduledFor: string, now: number): Date {
  const moment = /^\d{4}-\d{2}-\d{2}$/.test(scheduledFor) ? ofDay(job, scheduledFor) : momentOf(scheduledFor);
  const start = Date.parse(job.start_date);
  const earliest = new Date(Math.min(start, job.created_at.getTime()) - YEARS_BEFORE * YEAR_MS);
  const latest = new Date(Math.max(start, now) + YEARS_AHEAD * YEAR_MS);
  if (moment < earliest || moment > latest) {
    throw ApiError.invalid('scheduled_for', `must be within ${isoMoment(earliest)} to ${isoMoment(latest)}`);
  }
  return moment;
}

function ofDay(job: RecurringJobRow, day: string): Date {
  const recurrence = recurrenceOf(job);
  const occurrence = occurrenceOn(recurrence, day);
  if (occurrence !== undefined) return new Date(occurrence);
  const next = nextOccurrence(recurrence, Date.parse(day) - 1);
  const hint =
    next === undefined
      ? 'there is none after it'
      : `the next one is ${isoMoment(new Date(next))}, ${dayOf(next, recurrence.schedule.timezone)}`;
  throw ApiError.invalid('scheduled_for', `no occurrence falls on ${day}; ${hint}`);
}
