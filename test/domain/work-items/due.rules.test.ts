import { expect, it } from '@jest/globals';
import { dueDayAt, isOverdue } from '../../../domain/work-items/due.rules.ts';

it.each([
  ['Africa/Johannesburg', '2026-12-05T21:59:59Z', '2026-12-05', '2026-12-04T22:00:00Z', '2026-12-05T22:00:00Z'],
  ['Africa/Johannesburg', '2026-12-05T22:00:00Z', '2026-12-06', '2026-12-05T22:00:00Z', '2026-12-06T22:00:00Z'],
  ['America/New_York', '2026-12-05T04:00:00Z', '2026-12-04', '2026-12-04T05:00:00Z', '2026-12-05T05:00:00Z'],
  // The day on which the clocks go back has 25 hours.
  ['America/New_York', '2026-11-01T12:00:00Z', '2026-11-01', '2026-11-01T04:00:00Z', '2026-11-02T05:00:00Z'],
])('in %s it is at %s the day %s, from %s to %s', (timezone, now, date, start, end) => {
  expect(dueDayAt(Date.parse(now), timezone)).toEqual({
    date: new Date(`${date}T00:00:00Z`),
    start: new Date(start),
    end: new Date(end),
  });
});

it('a date alone is late from the next calendar day on, a moment from the next day where the client is', () => {
  const day = dueDayAt(Date.parse('2026-12-05T12:00:00Z'), 'America/New_York');
  const late = (due: string): boolean => isOverdue(new Date(due), day);
  expect(late('2026-12-05T00:00:00Z')).toBe(false);
  expect(late('2026-12-04T00:00:00Z')).toBe(true);
  expect(late('2026-12-05T04:59:00Z')).toBe(true);
  expect(late('2026-12-05T05:00:00Z')).toBe(false);
});
