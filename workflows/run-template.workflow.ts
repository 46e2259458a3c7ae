import {
  ActivityFailure,
  ApplicationFailure,
  CancellationScope,
  defineQuery,
  isCancellation,
  patched,
  proxyActivities,
  setHandler,
  sleep,
} from '@temporalio/workflow';
import type { TemplateActivities } from '../activities/workflow-templates.ts';
import type { TemplateStepInput } from '../domain/contracts/workflow-templates.ts';
import { RUN_CANCELLED } from '../domain/contracts/workflows.ts';
import type { RunTemplateInput } from '../domain/contracts/workflows.ts';

/** How long a run that was told by its row waits for the cancellation that follows, to end as cancelled in Temporal too. */
const CANCELLATION_COMES_WITHIN = '10 seconds';

/** Where a run is: the path of its step in the template (`1.then.0`), what that is, and how many are done. */
export const runProgressQuery = defineQuery<{ path: string; type: string; steps_done: number }>('progress');

/** What a step asks and can't have (an unknown user, a deleted item) ends the run; a lack of ours is tried again. */
const { beginRun, performStep, decideBranch } = proxyActivities<
  Pick<TemplateActivities, 'beginRun' | 'performStep' | 'decideBranch'>
>({
  startToCloseTimeout: '30 seconds',
  retry: { initialInterval: '500 milliseconds', backoffCoefficient: 2, maximumInterval: '1 minute' },
});
const { finishRun } = proxyActivities<Pick<TemplateActivities, 'finishRun'>>({
  startToCloseTimeout: '30 seconds',
  retry: { initialInterval: '500 milliseconds', backoffCoefficient: 2, maximumInterval: '1 minute' },
});

/**
 * One run of a workflow template: its steps in order, its waits as durable timers. Cancelling it ends it where it is. The
 * workflow ends as its run does, so that operators find failed and cancelled ones by their status.
 */
export async function runTemplate(input: RunTemplateInput): Promise<{ status: 'completed' | 'cancelled' }> {
  const progress = { path: '', type: '', steps_done: 0 };
  setHandler(runProgressQuery, () => progress);

  const follow = async (steps: readonly TemplateStepInput[], before: string): Promise<void> => {
    for (const [index, step] of steps.entries()) {
      const path = `${before}${String(index)}`;
      progress.path = path;
      progress.type = step.type;
      if (step.type === 'wait') {
        await sleep(step.seconds * 1_000);
        if (patched('waits-are-noted')) await performStep(input, path);
      } else if (step.type === 'branch') {
        const way = (await decideBranch(input, path)) ? 'then' : 'else';
        await follow(step[way] ?? [], `${path}.${way}.`);
      } else await performStep(input, path);
      progress.steps_done += 1;
    }
  };

  try {
    await follow(await beginRun(input), '');
  } catch (error) {
    return endEarly(input, error);
  }
  await finish(input, 'completed', null);
  return { status: 'completed' };
}

async function endEarly(input: RunTemplateInput, error: unknown): Promise<{ status: 'cancelled' }> {
  const { type, message } = reasonOf(error);
  const isCancelled = isCancellation(error) || type === RUN_CANCELLED;
  await finish(input, isCancelled ? 'cancelled' : 'failed', isCancelled ? null : message);
  if (!isCancelled) throw ApplicationFailure.nonRetryable(message, type);
  if (isCancellation(error)) throw error;
  await sleep(CANCELLATION_COMES_WITHIN);
  return { status: 'cancelled' };
}

/** Not given up by a cancellation: what has ended is written down. */
function finish(...args: Parameters<typeof finishRun>): Promise<void> {
  return CancellationScope.nonCancellable(() => finishRun(...args));
}

function reasonOf(error: unknown): { type: string; message: string } {
  const cause = error instanceof ActivityFailure ? error.cause : error;
  if (!(cause instanceof ApplicationFailure)) return { type: 'RUN_FAILED', message: 'the run could not go on' };
  return { type: cause.type ?? 'RUN_FAILED', message: cause.message };
}
