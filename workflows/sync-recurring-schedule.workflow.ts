import { proxyActivities, workflowInfo } from '@temporalio/workflow';
import type { RecurringActivities } from '../activities/recurring.ts';
import { SCHEDULE_WRITES_SUFFIX } from '../domain/contracts/workflows.ts';
import type { RecurringJobInput } from '../domain/contracts/workflows.ts';

/** Makes the Temporal Schedule of a recurring job what its row says. What fails for an hour is left to the reconciler. */
export async function syncRecurringSchedule(input: RecurringJobInput): Promise<void> {
  const { syncSchedule } = proxyActivities<Pick<RecurringActivities, 'syncSchedule'>>({
    taskQueue: `${workflowInfo().taskQueue}${SCHEDULE_WRITES_SUFFIX}`,
    startToCloseTimeout: '30 seconds',
    scheduleToCloseTimeout: '1 hour',
    retry: { initialInterval: '500 milliseconds', backoffCoefficient: 2, maximumInterval: '1 minute' },
  });
  await syncSchedule(input);
}
