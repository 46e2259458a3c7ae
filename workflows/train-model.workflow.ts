import { CancellationScope, isCancellation, proxyActivities, workflowInfo } from '@temporalio/workflow';
import type { TrainingActivities } from '../activities/training.ts';
import { PAGES_SUFFIX } from '../domain/contracts/workflows.ts';
import type { TrainModelInput } from '../domain/contracts/workflows.ts';
import { failureOf } from './document-request.ts';

/** Samples that are opened and read at a time. */
const SAMPLES_AT_ONCE = 2;
/** Of Temporal's five: after all calls for documents, which somebody waits for sooner. */
const PRIORITY_KEY = 5;

const RETRY = { initialInterval: '500 milliseconds', backoffCoefficient: 2, maximumInterval: '30 seconds' } as const;
const books = proxyActivities<Pick<TrainingActivities, 'abandonTraining'>>({
  startToCloseTimeout: '1 minute',
  retry: RETRY,
});

/** Trains a custom model on its samples. A refused sample ends the training; what else fails is ours and is tried again. */
export async function trainModel(input: TrainModelInput): Promise<{ status: 'ready' | 'failed' }> {
  const steps = stepsFor(input);
  try {
    const samples = await steps.unreadSamples(input);
    await eachOf(samples, async (sample) => {
      const pages = await steps.inspectSample(input, sample);
      for (let page = 1; page <= pages; page += 1) await steps.readSamplePage(input, sample, page);
    });
    await steps.fitModel(input);
  } catch (error) {
    await CancellationScope.nonCancellable(() => books.abandonTraining(input, failureOf(error)));
    if (isCancellation(error)) throw error;
    return { status: 'failed' };
  }
  return { status: 'ready' };
}

function stepsFor({ client_id }: TrainModelInput) {
  const priority = { priorityKey: PRIORITY_KEY, fairnessKey: String(client_id) };
  const options = {
    priority,
    scheduleToCloseTimeout: '1 day',
    startToCloseTimeout: '30 seconds',
    retry: RETRY,
  } as const;
  const taskQueue = `${workflowInfo().taskQueue}${PAGES_SUFFIX}`;
  const { readSamplePage } = proxyActivities<Pick<TrainingActivities, 'readSamplePage'>>({
    ...options,
    startToCloseTimeout: '2 minutes',
    heartbeatTimeout: '10 seconds',
    taskQueue,
  });
  // It computes in a child process for minutes and heartbeats meanwhile: a worker that died is known of at once.
  const { fitModel } = proxyActivities<Pick<TrainingActivities, 'fitModel'>>({
    ...options,
    startToCloseTimeout: '20 minutes',
    heartbeatTimeout: '15 seconds',
  });
  const { unreadSamples, inspectSample } =
    proxyActivities<Pick<TrainingActivities, 'unreadSamples' | 'inspectSample'>>(options);
  return { unreadSamples, inspectSample, readSamplePage, fitModel };
}

/** When one fails the others are cancelled: the training is lost anyway. */
async function eachOf(samples: readonly number[], work: (sample: number) => Promise<void>): Promise<void> {
  const waiting = [...samples];
  const lane = async (): Promise<void> => {
    for (let sample = waiting.shift(); sample !== undefined; sample = waiting.shift()) await work(sample);
  };
  await CancellationScope.cancellable(async () => {
    try {
      await Promise.all(Array.from({ length: SAMPLES_AT_ONCE }, lane));
    } catch (error) {
      CancellationScope.current().cancel();
      throw error;
    }
  });
}
