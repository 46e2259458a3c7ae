import { expect, it } from '@jest/globals';
import { orderProblem as engineProblem } from '../../../documents/pipeline/order.ts';
import { orderProblem, PIPELINE_ACTIONS, PipelineRequest } from '../../../domain/contracts/vision-steps.ts';
import type { PipelineAction } from '../../../domain/contracts/vision-steps.ts';

/** Every sequence of at most four actions. */
function sequences(length: number): PipelineAction[][] {
  if (length === 0) return [[]];
  return sequences(length - 1).flatMap((shorter) => PIPELINE_ACTIONS.map((action) => [...shorter, action]));
}

it('the API refuses the orders that the engine refuses, at the same step and in the same words', () => {
  for (const actions of [1, 2, 3, 4].flatMap(sequences)) {
    const engine = engineProblem(actions);
    const at = actions.findIndex((action, index) => orderProblem(actions.slice(0, index), action) !== undefined);
    const problem = at < 0 ? undefined : orderProblem(actions.slice(0, at), actions[at] ?? 'split');
    expect({ actions, step: at + 1, reason: problem }).toEqual({
      actions,
      step: engine?.step ?? 0,
      reason: engine?.reason,
    });
  }
});

it('a request names the step that can’t stand where it does', () => {
  const steps = [{ action: 'extract' }, { action: 'split' }];
  const { error } = PipelineRequest.safeParse({ file_base64: 'AA==', steps });
  expect(error?.issues).toEqual([
    expect.objectContaining({ path: ['steps', 1, 'action'], message: 'step 2 (split): nothing can follow extract' }),
  ]);
});
