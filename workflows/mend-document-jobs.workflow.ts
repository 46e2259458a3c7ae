import { proxyActivities } from '@temporalio/workflow';
import type { DocumentJobActivities } from '../activities/document-jobs.ts';

const { admitWaitingJobs, restartStrandedCalls } = proxyActivities<DocumentJobActivities>({
  startToCloseTimeout: '10 minutes',
  heartbeatTimeout: '30 seconds',
  retry: { initialInterval: '1 second', backoffCoefficient: 2, maximumInterval: '1 minute', maximumAttempts: 5 },
});

/**
 * Begins jobs of Document AI for which there is room though none of their client's has ended (its tier was raised), and
 * brings back calls whose workflow is gone. Started by a schedule.
 */
export async function mendDocumentJobs(): Promise<{ clients_waiting: number; asked_again: number }> {
  return { clients_waiting: await admitWaitingJobs(), asked_again: await restartStrandedCalls() };
}
