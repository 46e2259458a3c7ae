import { Temporal } from 'temporal-polyfill';

/** A text as a pattern for `ilike` that matches wherever it is contained; its own % and _ stand for themselves. */
export function containing(text: string): string {
  return `%${text.replaceAll(/[\\%_]/g, '\\$&')}%`;
}

/** The date that it is somewhere. */
export function dayIn(timezone: string, now: number): string {
  return Temporal.Instant.fromEpochMilliseconds(now).toZonedDateTimeISO(timezone).toPlainDate().toString();
}
