import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { Temporal } from 'temporal-polyfill';
import { WEEKDAYS } from '../../../domain/contracts/recurring.ts';
import type { RecurringSchedule } from '../../../domain/contracts/recurring.ts';
import {
  dayOf,
  nextOccurrence,
  nextOccurrences,
  occurrenceOn,
  occurrencesAfter,
} from '../../../domain/recurring/occurrences.rules.ts';
import type { Recurrence } from '../../../domain/recurring/occurrences.rules.ts';

const BASE: RecurringSchedule = {
  frequency: 'daily',
  interval: 1,
  days_of_week: null,
  day_of_month: null,
  time: '08:00',
  cron: null,
  timezone: 'Africa/Johannesburg',
};

const recurrence = (schedule: Partial<RecurringSchedule>, start_date = '2026-01-01', end_date: string | null = null) =>
  ({ schedule: { ...BASE, ...schedule }, start_date, end_date }) satisfies Recurrence;
const cron = (expression: string, timezone: string): Partial<RecurringSchedule> => ({
  frequency: 'cron',
  cron: expression,
  time: null,
  timezone,
});

const upcoming = (rule: Recurrence, after: string, count = 5): string[] =>
  nextOccurrences(rule, Date.parse(after), count).map((moment) => new Date(moment).toISOString());
const days = (rule: Recurrence, after: string, count = 5): string[] =>
  nextOccurrences(rule, Date.parse(after), count).map((moment) => dayOf(moment, rule.schedule.timezone));

describe('the days of a schedule', () => {
  it('daily: every day at the time, in the time zone', () => {
    expect(upcoming(recurrence({}), '2026-03-01T06:00:00Z', 2)).toEqual([
      '2026-03-02T06:00:00.000Z',
      '2026-03-03T06:00:00.000Z',
    ]);
  });

  it('daily with an interval: every third day counted from the start, however far away that is', () => {
    const everyThird = recurrence({ interval: 3 });
    expect(days(everyThird, '2025-12-01T00:00:00Z', 3)).toEqual(['2026-01-01', '2026-01-04', '2026-01-07']);
    expect(days(everyThird, '2027-01-01T00:00:00Z', 2)).toEqual(['2027-01-02', '2027-01-05']);
  });

  it('weekly: on the given days, from the start date on', () => {
    const rule = recurrence({ frequency: 'weekly', days_of_week: ['monday', 'thursday'] }, '2026-01-06');
    expect(days(rule, '2025-12-01T00:00:00Z', 4)).toEqual(['2026-01-08', '2026-01-12', '2026-01-15', '2026-01-19']);
  });

  it('every second week counts from the week of the start date, Monday to Sunday', () => {
    const rule = recurrence({ frequency: 'weekly', interval: 2, days_of_week: ['monday', 'friday'] }, '2026-01-08');
    expect(days(rule, '2025-12-01T00:00:00Z', 5)).toEqual([
      '2026-01-09',
      '2026-01-19',
      '2026-01-23',
      '2026-02-02',
      '2026-02-06',
    ]);
  });

  it('monthly on the 31st: the last day of each month, a leap year’s February included', () => {
    const rule = recurrence({ frequency: 'monthly', day_of_month: 31 }, '2027-11-01');
    expect(days(rule, '2027-11-01T00:00:00Z', 5)).toEqual([
      '2027-11-30',
      '2027-12-31',
      '2028-01-31',
      '2028-02-29',
      '2028-03-31',
    ]);
  });

  it('monthly on the 30th: the 30th, and the last of February', () => {
    const rule = recurrence({ frequency: 'monthly', day_of_month: 30 });
    expect(days(rule, '2026-01-01T00:00:00Z', 3)).toEqual(['2026-01-30', '2026-02-28', '2026-03-30']);
  });

  it('every third month counts from the month of the start date, and a day before that date does not count', () => {
    const rule = recurrence({ frequency: 'monthly', interval: 3, day_of_month: 10 }, '2026-01-15');
    expect(days(rule, '2026-01-01T00:00:00Z', 3)).toEqual(['2026-04-10', '2026-07-10', '2026-10-10']);
  });

  it('end_date is included, and nothing comes after it', () => {
    const rule = recurrence({}, '2026-01-01', '2026-01-03');
    expect(days(rule, '2026-01-01T12:00:00Z')).toEqual(['2026-01-02', '2026-01-03']);
    expect(nextOccurrence(rule, Date.parse('2026-01-03T06:00:00Z'))).toBeUndefined();
  });

  it('cron: either the day of the month or the day of the week', () => {
    const rule = recurrence(cron('0 6 13 * fri', 'UTC'));
    expect(days(rule, '2026-02-08T00:00:00Z', 3)).toEqual(['2026-02-13', '2026-02-20', '2026-02-27']);
  });

  it('cron: not before the start date nor after the end date', () => {
    const rule = recurrence(cron('0 */12 * * *', 'Asia/Tokyo'), '2026-05-02', '2026-05-02');
    expect(upcoming(rule, '2026-01-01T00:00:00Z')).toEqual(['2026-05-01T15:00:00.000Z', '2026-05-02T03:00:00.000Z']);
  });

  it('cron: an expression that never comes true has no occurrence', () => {
    expect(nextOccurrence(recurrence(cron('0 0 30 2 *', 'UTC')), 0)).toBeUndefined();
  });
});

describe('when the clocks change', () => {
  it.each(['daily', 'cron'] as const)('a time that is skipped comes true at the skip (%s)', (frequency) => {
    const schedule =
      frequency === 'cron' ? cron('30 2 * * *', 'Europe/Berlin') : { time: '02:30', timezone: 'Europe/Berlin' };
    expect(upcoming(recurrence(schedule), '2026-03-28T00:00:00Z', 3)).toEqual([
      '2026-03-28T01:30:00.000Z',
      '2026-03-29T01:00:00.000Z',
      '2026-03-30T00:30:00.000Z',
    ]);
  });

  it.each(['daily', 'cron'] as const)('a time that is shown twice counts once, the first time (%s)', (frequency) => {
    const schedule =
      frequency === 'cron' ? cron('30 1 * * *', 'America/New_York') : { time: '01:30', timezone: 'America/New_York' };
    expect(upcoming(recurrence(schedule), '2026-11-01T00:00:00Z', 2)).toEqual([
      '2026-11-01T05:30:00.000Z',
      '2026-11-02T06:30:00.000Z',
    ]);
  });

  it.each([
    ['15,45 2 * * *', '2026-03-08T05:00:00Z', ['2026-03-08T07:00:00.000Z', '2026-03-09T06:15:00.000Z']],
    ['0,30 1 * * *', '2026-11-01T05:00:00Z', ['2026-11-01T05:30:00.000Z', '2026-11-02T06:00:00.000Z']],
    ['*/30 * * * *', '2026-11-01T05:00:00Z', ['2026-11-01T05:30:00.000Z', '2026-11-01T06:00:00.000Z']],
    ['*/30 2 * * *', '2026-03-08T05:00:00Z', ['2026-03-09T06:00:00.000Z', '2026-03-09T06:30:00.000Z']],
  ])('written-out times of cron are kept, * and steps go on as time passes: %s', (expression, after, expected) => {
    expect(upcoming(recurrence(cron(expression, 'America/New_York')), after, 2)).toEqual(expected);
  });

  it('midnight that is skipped comes true at one o’clock of the same day', () => {
    const rule = recurrence({ time: '00:00', timezone: 'Africa/Cairo' });
    expect(upcoming(rule, '2026-04-22T23:00:00Z', 2)).toEqual(['2026-04-23T22:00:00.000Z', '2026-04-24T21:00:00.000Z']);
  });

  it('half an hour counts as well', () => {
    const rule = recurrence({ time: '02:15', timezone: 'Australia/Lord_Howe' });
    expect(upcoming(rule, '2026-10-03T00:00:00Z', 2)).toEqual(['2026-10-03T15:30:00.000Z', '2026-10-04T15:15:00.000Z']);
  });

  it('a day that never was (Samoa, 30 December 2011) and the next make two occurrences, not three nor one', () => {
    const rule = recurrence({ time: '08:00', timezone: 'Pacific/Apia' }, '2011-12-29');
    expect(upcoming(rule, '2011-12-29T00:00:00Z', 3)).toEqual([
      '2011-12-29T18:00:00.000Z',
      '2011-12-30T10:00:00.000Z',
      '2011-12-30T18:00:00.000Z',
    ]);
  });
});

describe('the occurrence of a day', () => {
  const on = (rule: Recurrence, day: string): string | undefined => {
    const moment = occurrenceOn(rule, day);
    return moment === undefined ? undefined : new Date(moment).toISOString();
  };

  it('is the schedule’s time on that day; a day that is left out has none', () => {
    const rule = recurrence({ frequency: 'weekly', interval: 2, days_of_week: ['monday'] }, '2026-02-02', '2026-03-01');
    expect(on(rule, '2026-02-02')).toBe('2026-02-02T06:00:00.000Z');
    expect(on(rule, '2026-02-16')).toBe('2026-02-16T06:00:00.000Z');
    for (const day of ['2026-02-03', '2026-02-09', '2026-01-19', '2026-03-02', '9999-12-31', '0001-01-01']) {
      expect(on(rule, day)).toBeUndefined();
    }
  });

  it('is the first of a cron expression on that day', () => {
    const rule = recurrence(cron('15 9,17 1 * *', 'Asia/Tokyo'));
    expect(on(rule, '2026-02-01')).toBe('2026-02-01T00:15:00.000Z');
    expect(on(rule, '2026-02-02')).toBeUndefined();
    expect(on(rule, '2025-12-01')).toBeUndefined();
  });

  it('is where the clocks go on, should they skip its time', () => {
    const rule = recurrence({ time: '02:30', timezone: 'Europe/Berlin' });
    expect(on(rule, '2026-03-29')).toBe('2026-03-29T01:00:00.000Z');
  });
});

const ZONES = [
  'UTC',
  'Europe/Berlin',
  'America/New_York',
  'America/St_Johns',
  'Australia/Lord_Howe',
  'Africa/Cairo',
  'Africa/Casablanca',
  'America/Santiago',
  'Asia/Kathmandu',
  'Pacific/Chatham',
  'Africa/Johannesburg',
];
const two = (value: number): string => String(value).padStart(2, '0');
const anyTime = fc.tuple(fc.nat(23), fc.nat(59)).map(([hour, minute]) => `${two(hour)}:${two(minute)}`);
const anyDay = fc
  .date({ min: new Date('2020-01-01'), max: new Date('2035-12-31'), noInvalidDate: true })
  .map((date) => date.toISOString().slice(0, 10));
const anySchedule: fc.Arbitrary<RecurringSchedule> = fc
  .record({
    frequency: fc.constantFrom('daily', 'weekly', 'monthly'),
    interval: fc.integer({ min: 1, max: 40 }),
    days: fc.uniqueArray(fc.constantFrom(...WEEKDAYS), { minLength: 1 }),
    day: fc.integer({ min: 1, max: 31 }),
    time: anyTime,
    timezone: fc.constantFrom(...ZONES),
  })
  .map(({ frequency, interval, days: given, day, time, timezone }) => ({
    frequency,
    interval,
    days_of_week: frequency === 'weekly' ? given : null,
    day_of_month: frequency === 'monthly' ? day : null,
    time,
    cron: null,
    timezone,
  }));
const anyRecurrence = fc.record({ schedule: anySchedule, start_date: anyDay, end_date: fc.constant(null) });
const anyMoment = fc.integer({ min: Date.parse('2019-06-01'), max: Date.parse('2036-06-01') });

/** The days of a schedule by trying each one: slow, and plain enough to be believed. */
function isScheduled({ schedule, start_date }: Recurrence, day: Temporal.PlainDate): boolean {
  const start = Temporal.PlainDate.from(start_date);
  if (Temporal.PlainDate.compare(day, start) < 0) return false;
  if (schedule.frequency === 'daily') return start.until(day).days % schedule.interval === 0;
  if (schedule.frequency === 'weekly') {
    const monday = (date: Temporal.PlainDate) => date.subtract({ days: date.dayOfWeek - 1 });
    const weeks = monday(start).until(monday(day)).days / 7;
    return weeks % schedule.interval === 0 && schedule.days_of_week!.includes(WEEKDAYS[day.dayOfWeek - 1]!);
  }
  const months = (day.year - start.year) * 12 + day.month - start.month;
  return months % schedule.interval === 0 && day.day === Math.min(schedule.day_of_month!, day.daysInMonth);
}

describe('every schedule', () => {
  it('has occurrences that only go forward, none of them twice', () => {
    fc.assert(
      fc.property(anyRecurrence, anyMoment, (rule, after) => {
        let last = after;
        for (const moment of nextOccurrences(rule, after, 8)) {
          expect(moment).toBeGreaterThan(last);
          last = moment;
        }
      }),
      { numRuns: 300 },
    );
  });

  it('goes on from any of its occurrences as if it had never been asked before', () => {
    fc.assert(
      fc.property(anyRecurrence, anyMoment, (rule, after) => {
        const [first, ...rest] = nextOccurrences(rule, after, 5);
        expect(nextOccurrences(rule, first!, 4)).toEqual(rest);
        expect(nextOccurrence(rule, first! - 1)).toBe(first);
      }),
      { numRuns: 300 },
    );
  });

  it('comes on the days that trying each day finds, and on each at its time unless the clocks skip it', () => {
    fc.assert(
      fc.property(anyRecurrence, anyMoment, (rule, after) => {
        const { timezone, time } = rule.schedule;
        const zoned = (moment: number) => Temporal.Instant.fromEpochMilliseconds(moment).toZonedDateTimeISO(timezone);
        const until = after + 120 * 86_400_000;
        const found: string[] = [];
        for (const moment of occurrencesAfter(rule, after)) {
          if (moment > until) break;
          found.push(zoned(moment).toPlainDate().toString());
          const shown = zoned(moment).toPlainTime().toString({ smallestUnit: 'minute' });
          const isSkip = zoned(moment - 1).offset !== zoned(moment).offset;
          if (!isSkip) expect(shown).toBe(time);
        }
        const expected: string[] = [];
        const lastDay = zoned(until).toPlainDate();
        for (
          let day = zoned(after).toPlainDate();
          Temporal.PlainDate.compare(day, lastDay) <= 0;
          day = day.add({ days: 1 })
        ) {
          if (isScheduled(rule, day)) expected.push(day.toString());
        }
        // Of the first and the last day the time may lie outside.
        expect(expected.join()).toContain(found.join());
        expect(expected.length - found.length).toBeLessThanOrEqual(2);
      }),
      { numRuns: 200 },
    );
  });
});
