import type { ClockAction } from '../contracts/attendance.ts';
import { isForgotten } from './moves.rules.ts';

/** One log of a person; moments are epoch milliseconds. */
export interface Log {
  action: ClockAction;
  at: number;
}

export interface Span {
  from: number;
  to: number;
}

/** From a clock-in to its clock-out, or to where it breaks off. */
export interface Session {
  startedAt: number;
  work: Span[];
  breaks: Span[];
  /**
   * `open`: the person is still in, counted up to now. `forgotten`: there is no clock-out, counted up to the last log. `late`:
   * a clock-out so late that it may have been forgotten first, counted all the same.
   */
  end: 'clocked_out' | 'open' | 'forgotten' | 'late';
}

export interface Worked {
  minutes_worked: number;
  break_minutes: number;
  sessions: number;
  is_open: boolean;
  missing_clock_out: boolean;
}

const MINUTE_MS = 60_000;

/** A time clock shows minutes: each log counts by the minute it falls in, and so sums of days are exact. */
function minuteOf(at: number): number {
  return Math.floor(at / MINUTE_MS) * MINUTE_MS;
}

/** A session that is being read, and what the person has been doing since `since`. */
interface Running extends Session {
  doing: 'work' | 'break';
  since: number;
}

/** The sessions of one person's logs, which come in order of time. What fits no session is passed over. */
export function sessionsOf(logs: readonly Log[], now: number): Session[] {
  const sessions: Session[] = [];
  let running: Running | undefined;
  for (const { action, at: exact } of logs) {
    const at = minuteOf(exact);
    if (action === 'clock_in') {
      if (running !== undefined) sessions.push(ended(running, 'forgotten'));
      running = { startedAt: at, work: [], breaks: [], end: 'open', doing: 'work', since: at };
    } else if (running !== undefined) {
      note(running, at);
      running.doing = action === 'break_start' ? 'break' : 'work';
      if (action !== 'clock_out') continue;
      sessions.push(ended(running, isForgotten(running.startedAt, at) ? 'late' : 'clocked_out'));
      running = undefined;
    }
  }
  if (running === undefined) return sessions;
  if (isForgotten(running.startedAt, now)) return [...sessions, ended(running, 'forgotten')];
  note(running, Math.max(minuteOf(now), running.since));
  return [...sessions, ended(running, 'open')];
}

function note(running: Running, at: number): void {
  (running.doing === 'work' ? running.work : running.breaks).push({ from: running.since, to: at });
  running.since = at;
}

function ended({ startedAt, work, breaks }: Running, end: Session['end']): Session {
  return { startedAt, work, breaks, end };
}

/** What of the sessions falls into a period (`to` is its end, exclusive). */
export function workedIn(sessions: readonly Session[], period: Span): Worked {
  const touching = sessions.filter((session) => touches(session, period));
  return {
    minutes_worked: minutesIn(
      touching.flatMap(({ work }) => work),
      period,
    ),
    break_minutes: minutesIn(
      touching.flatMap(({ breaks }) => breaks),
      period,
    ),
    sessions: touching.length,
    is_open: touching.some(({ end }) => end === 'open'),
    // Told where the session began: that is the day that somebody has to look at.
    missing_clock_out: touching.some(
      ({ end, startedAt }) => (end === 'forgotten' || end === 'late') && isWithin(startedAt, period),
    ),
  };
}

function touches({ startedAt, work, breaks }: Session, period: Span): boolean {
  return isWithin(startedAt, period) || minutesIn([...work, ...breaks], period) > 0;
}

function isWithin(at: number, { from, to }: Span): boolean {
  return at >= from && at < to;
}

function minutesIn(spans: readonly Span[], period: Span): number {
  const overlaps = spans.map(({ from, to }) => Math.min(to, period.to) - Math.max(from, period.from));
  return overlaps.filter((overlap) => overlap > 0).reduce((sum, overlap) => sum + overlap, 0) / MINUTE_MS;
}
