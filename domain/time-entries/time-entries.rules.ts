import { momentOf } from '../contracts/common.ts';
import { ApiError } from '../contracts/errors.ts';
import { MAX_DURATION_MINUTES } from '../contracts/time-entries.ts';
import type { CreateTimeEntryInput } from '../contracts/time-entries.ts';

const MINUTE_MS = 60_000;

interface Span {
  startedAt: Date;
  endedAt: Date;
  minutes: number;
}

/** When the work was done, from a start with an end, or from a duration with or without a start. */
export function spanOf({ started_at, ended_at, duration_minutes }: CreateTimeEntryInput, now: number): Span {
  if (ended_at !== undefined && duration_minutes !== undefined) {
    throw ApiError.invalid('duration_minutes', 'give either ended_at or duration_minutes');
  }
  if (duration_minutes !== undefined) {
    const startedAt = started_at === undefined ? new Date(now - duration_minutes * MINUTE_MS) : momentOf(started_at);
    return {
      startedAt,
      endedAt: new Date(startedAt.getTime() + duration_minutes * MINUTE_MS),
      minutes: duration_minutes,
    };
  }
  if (ended_at === undefined)
    throw ApiError.badRequest('duration_minutes', 'one of ended_at and duration_minutes is required');
  if (started_at === undefined) throw ApiError.badRequest('started_at', 'is required with ended_at');
  return between(momentOf(started_at), momentOf(ended_at));
}

function between(startedAt: Date, endedAt: Date): Span {
  const minutes = Math.round((endedAt.getTime() - startedAt.getTime()) / MINUTE_MS);
  if (minutes < 1) throw ApiError.invalid('ended_at', 'must be at least a minute after started_at');
  if (minutes > MAX_DURATION_MINUTES) {
    throw ApiError.invalid('ended_at', `must be at most ${String(MAX_DURATION_MINUTES)} minutes after started_at`);
  }
  return { startedAt, endedAt, minutes };
}
