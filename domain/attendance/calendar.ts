import { Temporal } from 'temporal-polyfill';
import type { Span } from './attendance.rules.ts';

/** A day or a week of a time zone: its dates (both inclusive), and the moments between which it lies. */
export interface Period extends Span {
  firstDay: string;
  lastDay: string;
}

/** The date that it is somewhere. */
export function dayAt(now: number, timezone: string): string {
  return Temporal.Instant.fromEpochMilliseconds(now).toZonedDateTimeISO(timezone).toPlainDate().toString();
}

/** A date some days later or, below zero, earlier. */
export function addDays(day: string, days: number): string {
  return Temporal.PlainDate.from(day).add({ days }).toString();
}

/** Days from one date to another: 0 for the same. */
export function daysBetween(from: string, to: string): number {
  return Temporal.PlainDate.from(from).until(Temporal.PlainDate.from(to), { largestUnit: 'days' }).days;
}

/** When a day begins there. Mostly at midnight; where clocks go forward over midnight, later. */
export function startOfDay(day: string, timezone: string): number {
  return Temporal.PlainDate.from(day).toZonedDateTime(timezone).epochMilliseconds;
}

/** The days, or the weeks from Monday, of a span of dates. A week that the span cuts holds only the days within it. */
export function periodsOf(
  { from, to }: { from: string; to: string },
  length: 'day' | 'week',
  timezone: string,
): Period[] {
  const periods: Period[] = [];
  const last = Temporal.PlainDate.from(to);
  let first = Temporal.PlainDate.from(from);
  // Compared as dates: the text of a year beyond 9999 sorts before all others.
  while (Temporal.PlainDate.compare(first, last) <= 0) {
    const whole = length === 'day' ? first : first.add({ days: 7 - first.dayOfWeek });
    const end = Temporal.PlainDate.compare(whole, last) < 0 ? whole : last;
    const next = end.add({ days: 1 });
    periods.push({
      firstDay: first.toString(),
      lastDay: end.toString(),
      from: first.toZonedDateTime(timezone).epochMilliseconds,
      to: next.toZonedDateTime(timezone).epochMilliseconds,
    });
    first = next;
  }
  return periods;
}
