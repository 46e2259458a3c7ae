import { getExternalWorkflowHandle, isCancellation, proxyActivities, sleep } from '@temporalio/workflow';
import type { ErasureActivities } from '../activities/erasure.ts';
import type { EraseDocumentInput } from '../domain/contracts/workflows.ts';

/** Longer than a step that did not hear of its end may still write: its own time limit is ten minutes. */
const LAST_WRITE = '11 minutes';

const { eraseBlobs } = proxyActivities<ErasureActivities>({
  startToCloseTimeout: '1 minute',
  retry: { initialInterval: '1 second', backoffCoefficient: 2, maximumInterval: '5 minutes' },
});

/** Removes what lies in the blob store of a call whose row is erased already, after stopping its workflow. */
export async function eraseDocument(input: EraseDocumentInput): Promise<void> {
  if (input.was_open) await stopWorkflow(input.request_id);
  await eraseBlobs(input.request_id);
  if (!input.was_open) return;
  await sleep(LAST_WRITE);
  await eraseBlobs(input.request_id);
}

async function stopWorkflow(workflowId: string): Promise<void> {
  try {
    await getExternalWorkflowHandle(workflowId).cancel();
  } catch (error) {
    // It never began, or has ended: its steps find the row erased and do nothing.
    if (isCancellation(error)) throw error;
  }
}
