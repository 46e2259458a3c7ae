import { describe, expect, it } from '@jest/globals';
import { workItemFor } from '../../../domain/recurring/work-item.rules.ts';

const blueprint = (template: Record<string, unknown>) => ({
  title: 'Inspect the pump',
  item_type: 'job' as const,
  template,
  start_date: '2026-12-01',
  schedule: { timezone: 'Africa/Johannesburg' },
});
const on = (day: string): number => Date.parse(`${day}T08:00:00+02:00`);

describe('workItemFor', () => {
  it('moves the dates of the template by the days since the start date', () => {
    const template = { due_date: '2026-12-03', scheduled_start: '2026-12-01T22:30:00+02:00' };
    expect(workItemFor(blueprint(template), on('2026-12-08'))).toMatchObject({
      due_date: '2026-12-10',
      scheduled_start: '2026-12-08T20:30:00.000Z',
    });
  });

  it.each(['2200-12-31', '2200-12-31T12:00:00Z'])(
    'a date that would leave the calendar (%s) is refused as a rule, not as a failure of ours',
    (due_date) => {
      expect(workItemFor(blueprint({ due_date }), on('2026-12-01'))).toMatchObject({ title: 'Inspect the pump' });
      expect(() => workItemFor(blueprint({ due_date }), on('2026-12-08'))).toThrow(
        expect.objectContaining({ code: 'VALIDATION_ERROR', message: expect.stringContaining('moved by 7 days') }),
      );
    },
  );
});
