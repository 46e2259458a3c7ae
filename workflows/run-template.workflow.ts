import {
  ActivityFailure,
  ApplicationFailure,
  CancellationScope,
  defineQuery,
  isCancellation,
  proxyActivities,
  setHandler,
  sleep,
} from '@temporalio/workflow';
import type { TemplateActivities } from '../activities/workflow-templates.ts';
import type { TemplateStepInput } from '../domain/contracts/workflow-templates.ts';
import type { RunTemplateInput } from '../domain/contracts/workflows.ts';

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

/** One run of a workflow template: its steps in order, its waits as durable timers. Cancelling it ends it where it is. */
export async function runTemplate(input: RunTemplateInput): Promise<{ status: 'completed' | 'failed' | 'cancelled' }> {
  const progress = { path: '', type: '', steps_done: 0 };
  setHandler(runProgressQuery, () => progress);

  const follow = async (steps: readonly TemplateStepInput[], before: string): Promise<void> => {
    for (const [index, step] of steps.entries()) {
      const path = `${before}${String(index)}`;
      progress.path = path;
      progress.type = step.type;
      if (step.type === 'wait') await sleep(step.seconds * 1_000);
      else if (step.type === 'branch') {
        const way = (await decideBranch(input, path)) ? 'then' : 'else';
        await follow(step[way] ?? [], `${path}.${way}.`);
      } else await performStep(input, path);
      progress.steps_done += 1;
    }
  };

  try {
    await follow(await beginRun(input), '');
    await finishRun(input, 'completed', null);
    return { status: 'completed' };
  } catch (error) {
    const status = isCancellation(error) ? 'cancelled' : 'failed';
    await CancellationScope.nonCancellable(() =>
      finishRun(input, status, status === 'failed' ? reasonOf(error) : null),
    );
    return { status };
  }
}

function reasonOf(error: unknown): string {
  const cause = error instanceof ActivityFailure ? error.cause : error;
  return cause instanceof ApplicationFailure ? cause.message : 'the run could not go on';
}
