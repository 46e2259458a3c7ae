import { describe, expect, it } from '@jest/globals';
import { cronIssues } from '../../../domain/workflow-templates/schedule.ts';

const issuesOf = (timezone: string): unknown[] => cronIssues({ cron: '0 7 * * 1', timezone, steps: [] });

describe('the time zone of a scheduled template', () => {
  it.each(['UTC', 'Europe/Berlin', 'Etc/GMT+12', 'America/Argentina/Buenos_Aires'])('may be %s', (timezone) => {
    expect(issuesOf(timezone)).toEqual([]);
  });

  it.each(['+02:00', '-03', '2026-11-21T00:00:00Z', '2026-11-21T00:00:00+01:00[Europe/Berlin]', 'Mars/Olympus'])(
    'must not be %s',
    (timezone) => {
      expect(issuesOf(timezone)).toEqual([expect.objectContaining({ field: 'config.timezone' })]);
    },
  );
});
