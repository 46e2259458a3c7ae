import { Temporal } from 'temporal-polyfill';
import type { Caller } from '../contracts/caller.ts';

/** The day that it is for the caller's client at a moment: dates of documents and what is overdue go by it. */
export function todayOf({ client }: Pick<Caller, 'client'>, now: number): string {
  return Temporal.Instant.fromEpochMilliseconds(now).toZonedDateTimeISO(client.timezone).toPlainDate().toString();
}
