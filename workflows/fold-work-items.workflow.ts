import { proxyActivities } from '@temporalio/workflow';
import type { WorkItemActivities } from '../activities/work-items.ts';

const { foldNewWorkItems } = proxyActivities<WorkItemActivities>({
  startToCloseTimeout: '10 minutes',
  heartbeatTimeout: '1 minute',
  retry: { initialInterval: '1 second', backoffCoefficient: 2, maximumInterval: '1 minute', maximumAttempts: 10 },
});

/** Brings the counts and words of work items up to date; answers how many items. Started by a schedule. */
export async function foldWorkItems(): Promise<{ folded: number }> {
  return { folded: await foldNewWorkItems() };
}
