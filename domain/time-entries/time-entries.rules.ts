import { momentOf } from '../contracts/common.ts';
import { ApiError } from '../contracts/errors.ts';
import { MAX_DURATION_MINUTES } from '../contracts/time-entries.ts';
import type { CreateTimeEntryInput, UpdateTimeEntryInput } from '../contracts/time-entries.ts';

const MINUTE_MS = 60_000;
/** Further ahead a start is a typing error; clocks and time zones of programs may differ by less. */
const MAX_AHEAD_MS = 24 * 3_600_000;

export interface Span {
  startedAt: Date;
  endedAt: Date;
  minutes: number;
}

/** When the work was done, from a start with an end, or from a duration with or without a start. */
export function spanOf(input: CreateTimeEntryInput, now: number): Span {
  const { started_at, ended_at, duration_minutes } = input;
  refuseBoth(input);
  if (duration_minutes !== undefined) {
    if (started_at !== undefined) return lasting(startOf(started_at, now), duration_minutes);
    return lasting(new Date(now - duration_minutes * MINUTE_MS), duration_minutes);
  }
  if (ended_at === undefined)
    throw ApiError.badRequest('duration_minutes', 'one of ended_at and duration_minutes is required');
  if (started_at === undefined) throw ApiError.badRequest('started_at', 'is required with ended_at');
  return between(startOf(started_at, now), momentOf(ended_at));
}

/** When it was done after all: what is not given stays, and one that is moved by its start alone stays as long as it was. */
export function correctedSpan(before: Span, input: UpdateTimeEntryInput, now: number): Span {
  const { started_at, ended_at, duration_minutes } = input;
  refuseBoth(input);
  const startedAt = started_at === undefined ? before.startedAt : startOf(started_at, now);
  if (ended_at !== undefined) return between(startedAt, momentOf(ended_at));
  if (duration_minutes !== undefined) return lasting(startedAt, duration_minutes);
  const moved = startedAt.getTime() - before.startedAt.getTime();
  return { startedAt, endedAt: new Date(before.endedAt.getTime() + moved), minutes: before.minutes };
}

function refuseBoth({ ended_at, duration_minutes }: Pick<UpdateTimeEntryInput, 'ended_at' | 'duration_minutes'>): void {
  if (ended_at === undefined || duration_minutes === undefined) return;
  throw ApiError.invalid('duration_minutes', 'give either ended_at or duration_minutes');
}

function startOf(text: string, now: number): Date {
  const startedAt = momentOf(text);
  if (startedAt.getTime() > now + MAX_AHEAD_MS) {
    throw ApiError.invalid('started_at', 'must not be more than 24 hours from now');
  }
  return startedAt;
}

function lasting(startedAt: Date, minutes: number): Span {
  return { startedAt, endedAt: new Date(startedAt.getTime() + minutes * MINUTE_MS), minutes };
}

function between(startedAt: Date, endedAt: Date): Span {
  const minutes = Math.round((endedAt.getTime() - startedAt.getTime()) / MINUTE_MS);
  if (minutes < 1) throw ApiError.invalid('ended_at', 'must be at least a minute after started_at');
  if (minutes > MAX_DURATION_MINUTES) {
    throw ApiError.invalid('ended_at', `must be at most ${String(MAX_DURATION_MINUTES)} minutes after started_at`);
  }
  return { startedAt, endedAt, minutes };
}
