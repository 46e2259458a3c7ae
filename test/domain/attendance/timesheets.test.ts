import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { Temporal } from 'temporal-polyfill';
import { sessionsOf, workedIn } from '../../../domain/attendance/attendance.rules.ts';
import type { Log } from '../../../domain/attendance/attendance.rules.ts';
import { addDays, dayAt, periodsOf } from '../../../domain/attendance/calendar.ts';
import type { ClockAction } from '../../../domain/contracts/attendance.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const ZONES = ['Europe/Berlin', 'America/New_York', 'Africa/Johannesburg', 'Australia/Lord_Howe', 'America/Sao_Paulo'];

const at = (text: string): number => Temporal.ZonedDateTime.from(text).epochMilliseconds;
const log = (action: ClockAction, text: string): Log => ({ action, at: at(text) });
const LATER = Date.UTC(2030, 0, 1);

/** Minutes worked per day of a span. */
function perDay(logs: readonly Log[], [from, to, zone]: [string, string, string], now = LATER): Record<string, number> {
  const sessions = sessionsOf(logs, now);
  const days = periodsOf({ from, to }, 'day', zone).map((day) => [day.firstDay, workedIn(sessions, day)] as const);
  return Object.fromEntries(
    days.filter(([, worked]) => worked.sessions > 0).map(([day, worked]) => [day, worked.minutes_worked]),
  );
}

describe('a night shift from 22:00 to 06:00', () => {
  it.each([
    // Clocks go forward in the night: an hour less.
    ['Europe/Berlin', '2026-03-28', '2026-03-29', { before: 120, after: 300 }],
    ['America/New_York', '2026-03-07', '2026-03-08', { before: 120, after: 300 }],
    // Clocks go back: an hour more.
    ['Europe/Berlin', '2026-10-24', '2026-10-25', { before: 120, after: 420 }],
    ['America/New_York', '2026-10-31', '2026-11-01', { before: 120, after: 420 }],
    // Half an hour only.
    ['Australia/Lord_Howe', '2026-04-04', '2026-04-05', { before: 120, after: 390 }],
    ['Africa/Johannesburg', '2026-03-28', '2026-03-29', { before: 120, after: 360 }],
  ])('in %s, %s to %s, counts the hours that passed', (zone, evening, morning, { before, after }) => {
    const logs = [log('clock_in', `${evening}T22:00[${zone}]`), log('clock_out', `${morning}T06:00[${zone}]`)];
    expect(perDay(logs, [evening, morning, zone])).toEqual({ [evening]: before, [morning]: after });
  });

  it('in São Paulo, where midnight was left out, is split where the day begins', () => {
    const zone = 'America/Sao_Paulo';
    const logs = [log('clock_in', `2018-11-03T22:00[${zone}]`), log('clock_out', `2018-11-04T06:00[${zone}]`)];
    expect(perDay(logs, ['2018-11-03', '2018-11-04', zone])).toEqual({ '2018-11-03': 120, '2018-11-04': 300 });
  });
});

describe('the calendar', () => {
  it.each([
    ['Europe/Berlin', '2026-03-29', 23],
    ['Europe/Berlin', '2026-10-25', 25],
    ['America/New_York', '2026-03-08', 23],
    ['America/New_York', '2026-11-01', 25],
    ['Africa/Johannesburg', '2026-03-29', 24],
  ])('%s has %s with %i hours', (zone, day, hours) => {
    const [period] = periodsOf({ from: day, to: day }, 'day', zone);
    expect((period!.to - period!.from) / HOUR).toBe(hours);
  });

  it('weeks begin on Monday and hold only the days asked for', () => {
    const weeks = periodsOf({ from: '2026-11-18', to: '2026-12-01' }, 'week', 'Africa/Johannesburg');
    expect(weeks.map(({ firstDay, lastDay }) => [firstDay, lastDay])).toEqual([
      ['2026-11-18', '2026-11-22'],
      ['2026-11-23', '2026-11-29'],
      ['2026-11-30', '2026-12-01'],
    ]);
  });

  it('is another day at the client than in UTC', () => {
    expect(dayAt(Date.UTC(2026, 10, 21, 23, 30), 'Africa/Johannesburg')).toBe('2026-11-22');
    expect(dayAt(Date.UTC(2026, 10, 21, 3, 30), 'America/New_York')).toBe('2026-11-20');
  });
});

describe('sessions', () => {
  const ZONE = 'Africa/Johannesburg';
  const DAY = '2026-11-20';
  const [day] = periodsOf({ from: DAY, to: DAY }, 'day', ZONE);
  const worked = (moves: [ClockAction, string][], now = LATER) =>
    workedIn(
      sessionsOf(
        moves.map(([action, time]) => log(action, `${DAY}T${time}[${ZONE}]`)),
        now,
      ),
      day!,
    );

  it('leave breaks out, also one that the clock-out ends', () => {
    expect(
      worked([
        ['clock_in', '08:00'],
        ['break_start', '12:00'],
        ['break_end', '12:45'],
        ['break_start', '16:00'],
        ['clock_out', '16:15'],
      ]),
    ).toEqual({ minutes_worked: 435, break_minutes: 60, sessions: 1, is_open: false, missing_clock_out: false });
  });

  it('count up to now while they are open, in work or on a break', () => {
    const now = at(`${DAY}T10:30:59[${ZONE}]`);
    expect(worked([['clock_in', '08:00']], now)).toMatchObject({ minutes_worked: 150, is_open: true });
    expect(
      worked(
        [
          ['clock_in', '08:00'],
          ['break_start', '10:00'],
        ],
        now,
      ),
    ).toMatchObject({ minutes_worked: 120, break_minutes: 30, is_open: true, missing_clock_out: false });
  });

  it('count up to their last log where the clock-out was forgotten', () => {
    const forgotten = { is_open: false, missing_clock_out: true };
    expect(worked([['clock_in', '08:00']], at(`2026-11-21T08:01[${ZONE}]`))).toMatchObject({
      minutes_worked: 0,
      ...forgotten,
    });
    expect(
      worked([
        ['clock_in', '06:00'],
        ['break_start', '07:00'],
        ['break_end', '07:10'],
        ['clock_in', '08:00'],
        ['clock_out', '09:00'],
      ]),
    ).toEqual({ minutes_worked: 120, break_minutes: 10, sessions: 2, ...forgotten });
  });

  it('count whole where the clock-out came after more than 24 hours, and are flagged too', () => {
    const logs = [log('clock_in', `${DAY}T08:00[${ZONE}]`), log('clock_out', `2026-11-21T08:00[${ZONE}]`)];
    expect(workedIn(sessionsOf(logs, LATER), day!)).toMatchObject({ minutes_worked: 960, missing_clock_out: false });
    const late = [logs[0]!, log('clock_out', `2026-11-21T08:01[${ZONE}]`)];
    expect(workedIn(sessionsOf(late, LATER), day!)).toMatchObject({ minutes_worked: 960, missing_clock_out: true });
  });

  it('count by the minute that a log falls in', () => {
    expect(
      worked([
        ['clock_in', '08:00:59.999'],
        ['clock_out', '08:01:00'],
      ]),
    ).toMatchObject({ minutes_worked: 1 });
  });

  it('pass over what fits no session', () => {
    expect(
      worked([
        ['clock_out', '07:00'],
        ['break_end', '07:30'],
      ]),
    ).toMatchObject({ minutes_worked: 0, sessions: 0 });
  });
});

describe('whatever was logged', () => {
  const DAYS = 12;
  const start = (day: string, zone: string) => at(`${day}T00:00[${zone}]`);
  /** Around the changes of clocks of either hemisphere. */
  const first = fc.constantFrom('2026-03-05', '2026-03-25', '2026-04-01', '2026-10-01', '2026-10-22', '2026-10-28');
  const moves = fc.array(
    fc.record({
      action: fc.constantFrom<ClockAction>('clock_in', 'clock_out', 'break_start', 'break_end'),
      after: fc.integer({ min: 0, max: 20 * HOUR }),
    }),
    { maxLength: 30 },
  );
  const cases = fc.record({
    zone: fc.constantFrom(...ZONES),
    first,
    moves,
    now: fc.integer({ min: 0, max: 30 * HOUR }),
  });
  const read = ({ zone, first: from, moves: given, now }: typeof cases extends fc.Arbitrary<infer C> ? C : never) => {
    let moment = start(from, zone);
    const logs = given.map(({ action, after }): Log => ({ action, at: (moment += after) }));
    const sessions = sessionsOf(logs, moment + now);
    const span = { from, to: addDays(from, DAYS + 30) };
    return { logs, sessions, span, zone, end: moment + now };
  };
  const total = (parts: readonly { minutes_worked: number; break_minutes: number }[]) =>
    parts.reduce((sum, part) => sum + part.minutes_worked + part.break_minutes, 0);

  it('days add up to weeks, and both to the sessions', () => {
    fc.assert(
      fc.property(cases, (given) => {
        const { sessions, span, zone } = read(given);
        const days = periodsOf(span, 'day', zone).map((period) => workedIn(sessions, period));
        const weeks = periodsOf(span, 'week', zone).map((period) => workedIn(sessions, period));
        const spans = sessions.flatMap(({ work, breaks }) => [...work, ...breaks]);
        const whole = spans.reduce((sum, { from, to }) => sum + (to - from), 0) / MINUTE;
        expect(total(days)).toBe(whole);
        expect(total(weeks)).toBe(whole);
      }),
    );
  });

  it('no day has more minutes than it is long, none is negative, all are whole', () => {
    fc.assert(
      fc.property(cases, (given) => {
        const { sessions, span, zone } = read(given);
        for (const period of periodsOf(span, 'day', zone)) {
          const { minutes_worked: work, break_minutes: breaks } = workedIn(sessions, period);
          expect(Number.isInteger(work) && Number.isInteger(breaks) && work >= 0 && breaks >= 0).toBe(true);
          expect(work + breaks).toBeLessThanOrEqual((period.to - period.from) / MINUTE);
        }
      }),
    );
  });

  it('sessions follow one another, at most the last is open, and every clock-in has one', () => {
    fc.assert(
      fc.property(cases, (given) => {
        const { sessions, logs } = read(given);
        expect(sessions).toHaveLength(logs.filter(({ action }) => action === 'clock_in').length);
        const spans = sessions.flatMap(({ work, breaks }) =>
          [...work, ...breaks].sort((a, b) => a.from - b.from || a.to - b.to),
        );
        for (const [index, span] of spans.entries())
          expect(span.from).toBeGreaterThanOrEqual(spans[index - 1]?.to ?? 0);
        expect(sessions.slice(0, -1).every(({ end }) => end !== 'open')).toBe(true);
      }),
    );
  });
});
