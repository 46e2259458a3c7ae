import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { CLOSURE_STATUSES, ITEM_TYPES } from '../../../domain/contracts/work-items.ts';
import {
  defaultStatus,
  isCompleted,
  isTerminal,
  reassigned,
  STATUSES,
} from '../../../domain/work-items/work-items.rules.ts';

const user = fc.integer({ min: 1, max: 6 });
const users = fc.uniqueArray(user);
const primary = fc.option(user);

/** What an item can hold: the primary assignee is one of all. */
const assignment = fc
  .record({ assigned_to: primary, assigned_users: users })
  .map(({ assigned_to, assigned_users }) => ({
    assigned_to,
    assigned_users: [...new Set([...(assigned_to === null ? [] : [assigned_to]), ...assigned_users])],
  }));
const given = fc.record({ assigned_to: primary, assigned_users: users }, { requiredKeys: [] });

describe('reassigned', () => {
  it('keeps the primary assignee among the assignees, each of them once and in order', () => {
    fc.assert(
      fc.property(assignment, given, (before, input) => {
        const after = reassigned(before, input);
        if (after.assigned_to !== null) expect(after.assigned_users).toContain(after.assigned_to);
        expect(after.assigned_users).toEqual([...new Set(after.assigned_users)].sort((a, b) => a - b));
      }),
    );
  });

  it('does what it is told, and told the same again changes nothing', () => {
    fc.assert(
      fc.property(assignment, given, (before, input) => {
        const after = reassigned(before, input);
        if (input.assigned_to !== undefined) expect(after.assigned_to).toBe(input.assigned_to);
        if (input.assigned_users !== undefined) {
          expect(new Set(after.assigned_users)).toEqual(
            new Set([...input.assigned_users, ...(after.assigned_to === null ? [] : [after.assigned_to])]),
          );
        }
        expect(reassigned(after, input)).toEqual(after);
      }),
    );
  });

  it('without a word of assignees leaves them', () => {
    fc.assert(
      fc.property(assignment, (before) => {
        const sorted = [...before.assigned_users].sort((a, b) => a - b);
        expect(reassigned(before, {})).toEqual({ assigned_to: before.assigned_to, assigned_users: sorted });
      }),
    );
  });
});

describe('statuses', () => {
  it.each(ITEM_TYPES)('a %s begins open and may end in every way', (type) => {
    expect(STATUSES[type]).toContain(defaultStatus(type));
    expect(isTerminal(defaultStatus(type))).toBe(false);
    expect(STATUSES[type]).toEqual(expect.arrayContaining([...CLOSURE_STATUSES, 'open', 'in_progress', 'on_hold']));
  });

  it('are completed when the work was done, not when it was called off', () => {
    expect(CLOSURE_STATUSES.filter(isCompleted)).toEqual(['completed', 'closed', 'done', 'resolved']);
    expect(isCompleted('open')).toBe(false);
  });
});
