import { Temporal } from 'temporal-polyfill';
import { WEEKDAYS } from '../contracts/recurring.ts';
import type { RecurringSchedule } from '../contracts/recurring.ts';
import { nextOccurrences } from './occurrences.rules.ts';
import type { Recurrence } from './occurrences.rules.ts';

/** Days and a time of day in the schedule's time zone; a field that is left out is any. */
export interface CalendarCandidates {
  hour: number;
  minute: number;
  /** 0 is Sunday, as Temporal counts. */
  days_of_week?: number[];
  days_of_month?: number[];
  months?: number[];
}

/**
 * Moments at which something may be due, in the words of a Temporal Schedule. There may be more of them than occurrences
 * (every week where every second is meant), never fewer: whoever is woken asks the rules of occurrence.
 */
export interface Candidates {
  timezone: string;
  calendars: CalendarCandidates[];
  crons: string[];
  /** Single moments that wall-clock times can't say. */
  moments: number[];
  /** Nothing is due outside of these. */
  from: number;
  to: number | null;
}

const DAY_MS = 86_400_000;
/** How far ahead the changes of the clocks are looked up; the candidates are made anew long before that is over. */
const CLOCK_HORIZON_MS = 400 * DAY_MS;
const SOON_MS = 3 * DAY_MS;
const MAX_SOON = 75;
/** Around a change of the clocks: twice the largest that is in use. */
const CHANGE_MS = 2 * 3_600_000;
/** An expression that comes true every few minutes needs no help: its next candidate finds what was missed. */
const MAX_MOMENTS_PER_CHANGE = 30;

export function candidatesOf(recurrence: Recurrence, now: number): Candidates {
  const { schedule, start_date, end_date } = recurrence;
  return {
    timezone: schedule.timezone,
    calendars: schedule.frequency === 'cron' ? [] : [calendarOf(schedule, start_date)],
    crons: schedule.cron === null ? [] : cronsOf(schedule.cron),
    moments: [...soon(recurrence, now), ...momentsAtClockChanges(recurrence, now)],
    // A day more on each side, whatever the time zone.
    from: Date.parse(start_date) - DAY_MS,
    to: end_date === null ? null : Date.parse(end_date) + 3 * DAY_MS,
  };
}

function calendarOf(schedule: RecurringSchedule, startDate: string): CalendarCandidates {
  const [hour = 0, minute = 0] = (schedule.time ?? '00:00').split(':').map(Number);
  const at = { hour, minute };
  if (schedule.frequency === 'weekly') {
    return { ...at, days_of_week: (schedule.days_of_week ?? []).map((day) => (WEEKDAYS.indexOf(day) + 1) % 7) };
  }
  if (schedule.frequency === 'daily') return at;
  const day = schedule.day_of_month ?? 1;
  const days_of_month = day <= 28 ? [day] : [28, 29, 30, 31].filter((candidate) => candidate <= day);
  const months = monthsOf(schedule.interval, Number(startDate.slice(5, 7)));
  return { ...at, days_of_month, ...(months === undefined ? {} : { months }) };
}

/** The months of the year, where an interval has the same ones each year. */
function monthsOf(interval: number, first: number): number[] | undefined {
  if (interval === 1) return undefined;
  if (interval % 12 === 0) return [first];
  if (12 % interval !== 0) return undefined;
  const months = Array.from({ length: 12 / interval }, (_, index) => ((first - 1 + index * interval) % 12) + 1);
  return months.sort((a, b) => a - b);
}

/** Given both, cron means the day of the month or the day of the week; Temporal takes them for «and». */
function cronsOf(cron: string): string[] {
  const [minute, hour, dayOfMonth, month, dayOfWeek] = cron.trim().split(/ +/).map(String) as [
    string,
    string,
    string,
    string,
    string,
  ];
  if (dayOfMonth === '*' || dayOfWeek === '*') return [[minute, hour, dayOfMonth, month, dayOfWeek].join(' ')];
  return [[minute, hour, dayOfMonth, month, '*'].join(' '), [minute, hour, '*', month, dayOfWeek].join(' ')];
}

/**
 * The occurrences of the next days, one by one: should the server know other rules of a time zone than we do (its tables
 * are older or newer), it fires in time all the same. The candidates are made anew each day.
 */
function soon(recurrence: Recurrence, now: number): number[] {
  const until = now + SOON_MS;
  return nextOccurrences(recurrence, now, MAX_SOON).filter((moment) => moment <= until);
}

/** Occurrences close to a change of the clocks, where wall-clock times are skipped or shown twice. */
function momentsAtClockChanges(recurrence: Recurrence, now: number): number[] {
  return clockChanges(recurrence.schedule.timezone, now).flatMap((change) => {
    const until = change + CHANGE_MS;
    const near = nextOccurrences(recurrence, change - CHANGE_MS, MAX_MOMENTS_PER_CHANGE + 1);
    const moments = near.filter((moment) => moment <= until);
    return moments.length > MAX_MOMENTS_PER_CHANGE ? [] : moments;
  });
}

function clockChanges(timezone: string, now: number): number[] {
  const changes: number[] = [];
  let at = Temporal.Instant.fromEpochMilliseconds(now - DAY_MS).toZonedDateTimeISO(timezone);
  for (;;) {
    const change = at.getTimeZoneTransition('next');
    if (change === null || change.epochMilliseconds > now + CLOCK_HORIZON_MS) return changes;
    changes.push(change.epochMilliseconds);
    at = change;
  }
}
