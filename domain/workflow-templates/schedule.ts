import { isTimeZone } from '../contracts/common.ts';
import type { FieldIssue } from '../contracts/errors.ts';
import type { TemplateConfigInput } from '../contracts/workflow-templates.ts';
import { cronIssue, cronOf } from '../recurring/index.ts';

/** The first moment after `after` at which a scheduled template runs; null where it never does, or isn't scheduled. */
export function nextRunAt(triggerType: string, config: TemplateConfigInput, zone: string, after: Date): Date | null {
  if (triggerType !== 'schedule' || config.cron === undefined) return null;
  return cronOf(config.cron, config.timezone ?? zone).nextRun(after);
}

/** What is wrong with a cron expression and its zone, in words; whatever starts the template, for that may be changed. */
export function cronIssues({ cron, timezone }: TemplateConfigInput): FieldIssue[] {
  if (timezone !== undefined && !isTimeZone(timezone)) {
    return [{ field: 'config.timezone', issue: `${timezone} is not an IANA time zone` }];
  }
  if (cron === undefined) return [];
  const issue = cronIssue(cron) ?? (cronOf(cron, timezone ?? 'UTC').nextRun() === null ? 'never comes' : undefined);
  return issue === undefined ? [] : [{ field: 'config.cron', issue }];
}
