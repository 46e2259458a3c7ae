import type { ClockAction } from '../contracts/attendance.ts';

/** A session that nobody ended after so long was forgotten: the next clock-in is a new one. */
export const FORGOTTEN_AFTER_MS = 24 * 3_600_000;

/** A person's last log, and when the session that it belongs to began. */
export interface LastLog {
  action: ClockAction;
  sessionStartedAt: number;
}

/** The moves that may follow. Clocking out ends a break too. */
export function movesAfter(last: LastLog | undefined, at: number): readonly ClockAction[] {
  if (last === undefined || last.action === 'clock_out') return ['clock_in'];
  const moves: ClockAction[] =
    last.action === 'break_start' ? ['break_end', 'clock_out'] : ['break_start', 'clock_out'];
  return isForgotten(last.sessionStartedAt, at) ? [...moves, 'clock_in'] : moves;
}

/** Whether a session that began then and has no clock-out counts as forgotten. */
export function isForgotten(startedAt: number, at: number): boolean {
  return at - startedAt > FORGOTTEN_AFTER_MS;
}
