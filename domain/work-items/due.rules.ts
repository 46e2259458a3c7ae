import { Temporal } from 'temporal-polyfill';

/**
 * A day as due dates are held against it. A due date that was given as a date alone is kept as midnight UTC and means
 * that calendar day wherever the client is; one with a time is due on the client's day in which it lies.
 */
export interface DueDay {
  /** Midnight UTC of the date. */
  date: Date;
  /** When the client's day begins and ends. */
  start: Date;
  end: Date;
}

export function dueDayAt(now: number, timezone: string): DueDay {
  const day = Temporal.Instant.fromEpochMilliseconds(now).toZonedDateTimeISO(timezone).toPlainDate();
  const startOf = (date: Temporal.PlainDate, zone: string): Date =>
    new Date(date.toZonedDateTime(zone).epochMilliseconds);
  return { date: startOf(day, 'UTC'), start: startOf(day, timezone), end: startOf(day.add({ days: 1 }), timezone) };
}

/** Whether something due then is late on that day. */
export function isOverdue(due: Date, { date, start }: DueDay): boolean {
  const isDateAlone = due.getTime() % 86_400_000 === 0;
  return due < (isDateAlone ? date : start);
}
