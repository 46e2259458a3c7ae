import { proxyActivities } from '@temporalio/workflow';
import type { TemplateActivities } from '../activities/workflow-templates.ts';

const { startDueTemplates } = proxyActivities<Pick<TemplateActivities, 'startDueTemplates'>>({
  startToCloseTimeout: '30 seconds',
  // The next minute's run does what this one could not.
  retry: { initialInterval: '1 second', maximumAttempts: 5 },
});

/** Starts the scheduled workflow templates whose time has come; answers how many. Started by a schedule, each minute. */
export async function startScheduledTemplates(): Promise<number> {
  return startDueTemplates();
}
