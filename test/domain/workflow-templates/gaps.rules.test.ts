import { describe, expect, it } from '@jest/globals';
import { withoutGaps } from '../../../domain/workflow-templates/gaps.rules.ts';

describe('withoutGaps', () => {
  it('leaves out fields that came to nothing, and such entries of lists', () => {
    expect(withoutGaps({ title: 'x', due_date: null, team: undefined, tags: ['a', null], users: [null] })).toEqual({
      title: 'x',
      tags: ['a'],
    });
  });

  it('keeps what is there though it is empty or false', () => {
    const fields = { tags: [], hours: 0, flag: false, note: '', custom: { a: null } };
    expect(withoutGaps(fields)).toEqual(fields);
  });
});
