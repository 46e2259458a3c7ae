import { continueAsNew, defineQuery, proxyActivities, setHandler, upsertMemo } from '@temporalio/workflow';
import type { RecoveryActivities } from '../activities/recoveries.ts';
import type { RecoverWebhookInput } from '../domain/contracts/workflows.ts';

/** How far a recovery is. */
export const recoveryProgressQuery = defineQuery<RecoveryProgress>('progress');

export interface RecoveryProgress {
  is_done: boolean;
  /** Dead letters that are on their way again. */
  replayed: number;
  /** Deliveries made for events that were missed. */
  created: number;
}

/** A run's history stays small; the row says where the next one goes on. */
const BATCHES_PER_RUN = 500;

// Tried for as long as it takes: what stands in the way is a lack of ours, and each batch can be repeated.
const { recoverBatch } = proxyActivities<RecoveryActivities>({
  startToCloseTimeout: '1 minute',
  retry: { initialInterval: '500 milliseconds', backoffCoefficient: 2, maximumInterval: '30 seconds' },
});

/** Sends a webhook what it missed, batch by batch: its dead letters of a time, and events of when it was inactive. */
export async function recoverWebhook(input: RecoverWebhookInput): Promise<RecoveryProgress> {
  let progress: RecoveryProgress = { is_done: false, replayed: 0, created: 0 };
  setHandler(recoveryProgressQuery, () => progress);
  for (let batch = 0; batch < BATCHES_PER_RUN; batch += 1) {
    progress = await recoverBatch(input);
    if (progress.is_done) {
      upsertMemo({ replayed: progress.replayed, created: progress.created });
      return progress;
    }
  }
  return continueAsNew<typeof recoverWebhook>(input);
}
