import { describe, expect, it } from '@jest/globals';
import { FORGOTTEN_AFTER_MS, movesAfter } from '../../../domain/attendance/moves.rules.ts';
import type { ClockAction } from '../../../domain/contracts/attendance.ts';

describe('movesAfter', () => {
  it.each<[ClockAction, ClockAction[]]>([
    ['clock_in', ['break_start', 'clock_out']],
    ['break_start', ['break_end', 'clock_out']],
    ['break_end', ['break_start', 'clock_out']],
    ['clock_out', ['clock_in']],
  ])('%s may be followed by %j', (action, moves) => {
    expect(movesAfter({ action, sessionStartedAt: 0 }, FORGOTTEN_AFTER_MS)).toEqual(moves);
  });

  it('the first of all is clock_in', () => {
    expect(movesAfter(undefined, 0)).toEqual(['clock_in']);
  });

  it.each<ClockAction>(['clock_in', 'break_start', 'break_end'])(
    'after more than 24 hours a session that stands at %s may be left for a new one, or ended late',
    (action) => {
      const moves = movesAfter({ action, sessionStartedAt: 0 }, FORGOTTEN_AFTER_MS + 1);
      expect(moves).toEqual(expect.arrayContaining(['clock_in', 'clock_out']));
    },
  );
});
