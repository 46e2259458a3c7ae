import { getExternalWorkflowHandle, isCancellation, proxyActivities, sleep } from '@temporalio/workflow';
import type { TrainingActivities } from '../activities/training.ts';
import type { EraseModelInput } from '../domain/contracts/workflows.ts';
import { trainingWorkflowId } from '../domain/contracts/workflows.ts';

/** Longer than a step of the training that did not hear of its end may still write: its own time limit. */
const LAST_WRITE = '3 minutes';

const { eraseModelBlobs } = proxyActivities<Pick<TrainingActivities, 'eraseModelBlobs'>>({
  startToCloseTimeout: '1 minute',
  retry: { initialInterval: '1 second', backoffCoefficient: 2, maximumInterval: '5 minutes' },
});

/** Removes the samples of a model whose rows are gone already, after stopping its training. */
export async function eraseModel(input: EraseModelInput): Promise<void> {
  const { training_id: trainingId } = input;
  if (trainingId !== null) await stopTraining(trainingId);
  await eraseModelBlobs(input);
  if (trainingId === null) return;
  await sleep(LAST_WRITE);
  await eraseModelBlobs(input);
}

async function stopTraining(trainingId: string): Promise<void> {
  try {
    await getExternalWorkflowHandle(trainingWorkflowId(trainingId)).cancel();
  } catch (error) {
    // It never began, or has ended: its steps find the model gone and do nothing.
    if (isCancellation(error)) throw error;
  }
}
