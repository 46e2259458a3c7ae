import { proxyActivities } from '@temporalio/workflow';
import type { RecurringActivities } from '../activities/recurring.ts';

const { healSchedules, generateOverdue } = proxyActivities<
  Pick<RecurringActivities, 'healSchedules' | 'generateOverdue'>
>({
  startToCloseTimeout: '30 minutes',
  heartbeatTimeout: '2 minutes',
  retry: { initialInterval: '1 second', backoffCoefficient: 2, maximumInterval: '1 minute', maximumAttempts: 5 },
});

/** Heals what rows and schedules disagree about, and runs what no schedule has fired. Started by a schedule of its own. */
export async function reconcileRecurringJobs(): Promise<Record<string, number>> {
  const { generated, failed } = await generateOverdue();
  const healed = await healSchedules();
  return {
    generated,
    generation_failed: failed,
    synced: healed.synced,
    removed: healed.removed,
    sync_failed: healed.failed,
  };
}
