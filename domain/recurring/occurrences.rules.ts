import { Temporal } from 'temporal-polyfill';
import { WEEKDAYS } from '../contracts/recurring.ts';
import type { RecurringSchedule } from '../contracts/recurring.ts';
import { cronOf } from './cron.rules.ts';

/** When something recurs: the schedule with all defaults filled in, and its first and last day. */
export interface Recurrence {
  schedule: RecurringSchedule;
  /** ISO 8601 dates in the schedule's time zone; both days are included. */
  start_date: string;
  end_date: string | null;
}

/** Nothing recurs beyond: a schedule that never comes true again ends its search here. */
const LAST_YEAR = 2200;

/**
 * The occurrences after a moment, as milliseconds since the epoch, each later than the last. A wall-clock time that the
 * clocks skip comes true at the moment of the skip; one that they show twice counts when it is shown first. (Of cron
 * expressions with `*` or steps in the time of day see `cronOf`.)
 */
export function* occurrencesAfter(recurrence: Recurrence, after: number): Generator<number> {
  const moments =
    recurrence.schedule.frequency === 'cron' ? cronMoments(recurrence, after) : dayMoments(recurrence, after);
  let last = after;
  for (const moment of moments) {
    if (moment <= last) continue;
    last = moment;
    yield moment;
  }
}

/** The first occurrence after a moment, if there is one. */
export function nextOccurrence(recurrence: Recurrence, after: number): number | undefined {
  for (const moment of occurrencesAfter(recurrence, after)) return moment;
  return undefined;
}

export function nextOccurrences(recurrence: Recurrence, after: number, count: number): number[] {
  const moments: number[] = [];
  for (const moment of occurrencesAfter(recurrence, after)) if (moments.push(moment) === count) break;
  return moments;
}

/** The occurrence of a day, the first if it has several. */
export function occurrenceOn(recurrence: Recurrence, day: string): number | undefined {
  const { frequency, time, timezone } = recurrence.schedule;
  const date = Temporal.PlainDate.from(day);
  // By its time, not by the day that comes out: the clocks may skip it into the next one.
  const moment = frequency === 'cron' ? undefined : momentAt(date, time, timezone);
  const first = nextOccurrence(recurrence, (moment ?? startOfDay(date, timezone)) - 1);
  if (first === undefined) return undefined;
  return first === moment || (moment === undefined && dayOf(first, timezone) === day) ? first : undefined;
}

/** The day that a moment falls on in a time zone, as an ISO 8601 date. */
export function dayOf(moment: number, timezone: string): string {
  return inZone(moment, timezone).toPlainDate().toString();
}

/** Days from the first date to the second. */
export function daysBetween(from: string, to: string): number {
  return Temporal.PlainDate.from(from).until(Temporal.PlainDate.from(to), { largestUnit: 'days' }).days;
}

/** A moment, so many calendar days later at the same wall-clock time. */
export function movedByDays(moment: number, days: number, timezone: string): number {
  return inZone(moment, timezone).add({ days }).epochMilliseconds;
}

function* dayMoments({ schedule, start_date, end_date }: Recurrence, after: number): Generator<number> {
  const start = Temporal.PlainDate.from(start_date);
  // A day's moment may fall on the next one (the clocks skip midnight), so the search begins a day early.
  const from = inZone(after, schedule.timezone).toPlainDate().subtract({ days: 2 });
  for (const day of daysFrom(schedule, start, from)) {
    if (day.year > LAST_YEAR || (end_date !== null && day.toString() > end_date)) return;
    yield momentAt(day, schedule.time, schedule.timezone);
  }
}

/** The days of a daily, weekly or monthly schedule in order, beginning at or some days before `from`. */
function daysFrom(
  schedule: RecurringSchedule,
  start: Temporal.PlainDate,
  from: Temporal.PlainDate,
): Generator<Temporal.PlainDate> {
  if (schedule.frequency === 'daily') return everyDays(schedule.interval, start, from);
  if (schedule.frequency === 'weekly') return everyWeeks(schedule, start, from);
  return everyMonths(schedule, start, from);
}

function* everyDays(
  interval: number,
  start: Temporal.PlainDate,
  from: Temporal.PlainDate,
): Generator<Temporal.PlainDate> {
  const passed = start.until(from, { largestUnit: 'days' }).days;
  for (let step = periodsBefore(passed, interval); ; step += interval) yield start.add({ days: step });
}

/** Weeks begin on Monday, and the one of the start date is the first. */
function* everyWeeks(
  { interval, days_of_week }: RecurringSchedule,
  start: Temporal.PlainDate,
  from: Temporal.PlainDate,
): Generator<Temporal.PlainDate> {
  const monday = start.subtract({ days: start.dayOfWeek - 1 });
  const offsets = (days_of_week ?? []).map((day) => WEEKDAYS.indexOf(day)).sort((a, b) => a - b);
  const passed = Math.floor(monday.until(from, { largestUnit: 'days' }).days / 7);
  for (let step = periodsBefore(passed, interval); ; step += interval) {
    for (const offset of offsets) {
      const day = monday.add({ days: step * 7 + offset });
      if (Temporal.PlainDate.compare(day, start) >= 0) yield day;
    }
  }
}

function* everyMonths(
  { interval, day_of_month }: RecurringSchedule,
  start: Temporal.PlainDate,
  from: Temporal.PlainDate,
): Generator<Temporal.PlainDate> {
  const first = start.with({ day: 1 });
  const passed = first.until(from, { largestUnit: 'months' }).months;
  for (let step = periodsBefore(passed, interval); ; step += interval) {
    const month = first.add({ months: step });
    // A day that the month doesn't have is its last one.
    const day = month.with({ day: Math.min(day_of_month ?? 1, month.daysInMonth) });
    if (Temporal.PlainDate.compare(day, start) >= 0) yield day;
  }
}

/** The last multiple of the interval that is not after `passed`, never before the start. */
function periodsBefore(passed: number, interval: number): number {
  return Math.max(0, Math.floor(passed / interval) * interval);
}

function* cronMoments({ schedule, start_date, end_date }: Recurrence, after: number): Generator<number> {
  const cron = cronOf(schedule.cron ?? '', schedule.timezone);
  const begin = startOfDay(Temporal.PlainDate.from(start_date), schedule.timezone) - 1;
  // The library counts in whole seconds, and from the one after.
  let from = Math.floor(Math.max(after, begin) / 1_000) * 1_000;
  for (;;) {
    const next = cron.nextRun(new Date(from));
    if (next === null || next.getUTCFullYear() > LAST_YEAR) return;
    from = next.getTime();
    if (end_date !== null && dayOf(from, schedule.timezone) > end_date) return;
    yield from;
  }
}

function momentAt(day: Temporal.PlainDate, time: string | null, timezone: string): number {
  const wall = day.toPlainDateTime(Temporal.PlainTime.from(time ?? '00:00'));
  const zoned = wall.toZonedDateTime(timezone, { disambiguation: 'earlier' });
  if (zoned.toPlainDateTime().equals(wall)) return zoned.epochMilliseconds;
  // The clocks skip this time: the next valid moment is the skip itself.
  return (zoned.getTimeZoneTransition('next') ?? zoned).epochMilliseconds;
}

function startOfDay(day: Temporal.PlainDate, timezone: string): number {
  return day.toZonedDateTime(timezone).epochMilliseconds;
}

function inZone(moment: number, timezone: string): Temporal.ZonedDateTime {
  return Temporal.Instant.fromEpochMilliseconds(moment).toZonedDateTimeISO(timezone);
}
