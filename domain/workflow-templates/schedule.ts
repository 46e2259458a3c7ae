import { Cron } from 'croner';
import type { TemplateConfigInput } from '../contracts/workflow-templates.ts';

/** The first moment after `after` at which a scheduled template runs; null where it never does, or isn't scheduled. */
export function nextRunAt(triggerType: string, config: TemplateConfigInput, zone: string, after: Date): Date | null {
  if (triggerType !== 'schedule' || config.cron === undefined) return null;
  return cronOf(config.cron, config.timezone ?? zone).nextRun(after);
}

/** What is wrong with a cron expression or its zone, in words. */
export function cronIssue(cron: string, timezone: string | undefined): { field: string; issue: string } | undefined {
  try {
    if (timezone !== undefined) new Intl.DateTimeFormat('en', { timeZone: timezone });
  } catch {
    return { field: 'config.timezone', issue: `${timezone ?? ''} is not an IANA time zone` };
  }
  try {
    const next = cronOf(cron, timezone ?? 'UTC').nextRun();
    return next === null ? { field: 'config.cron', issue: 'never comes' } : undefined;
  } catch {
    return { field: 'config.cron', issue: 'must be a cron expression of five fields, such as 0 7 * * 1' };
  }
}

function cronOf(cron: string, timezone: string): Cron {
  return new Cron(cron, { timezone, mode: '5-part', paused: true });
}
