import { proxyActivities } from '@temporalio/workflow';
import type { TemplateActivities } from '../activities/workflow-templates.ts';

const { startDueTemplates } = proxyActivities<Pick<TemplateActivities, 'startDueTemplates'>>({
  startToCloseTimeout: '5 minutes',
  heartbeatTimeout: '1 minute',
  // The next minute's run does what this one could not.
  retry: { initialInterval: '1 second', maximumAttempts: 5 },
});

/** Starts the scheduled workflow templates whose time has come; answers how many. Started by a schedule, each minute. */
export async function startScheduledTemplates(): Promise<number> {
  let total = 0;
  for (;;) {
    const { started, is_more } = await startDueTemplates();
    total += started;
    if (!is_more) return total;
  }
}
