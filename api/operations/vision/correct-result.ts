import { CorrectionResponse, CorrectResult } from '../../../domain/contracts/vision-corrections.ts';
import { forgetWorkflowStart } from '../../../domain/outbox/index.ts';
import { correctResult } from '../../../domain/vision/index.ts';
import type { LessonWorkflow } from '../../../domain/vision/index.ts';
import { operation } from '../../operation.ts';
import type { Services } from '../../services.ts';
import { visionRoute } from '../../vision/route.ts';

/** How long an answer waits for its corrections to be learned: who sends the next document at once has the good of them. */
const LESSON_BUDGET_MS = 2_000;

export const correctResultOperation = operation({
  name: 'correct-result',
  title: 'Correct a result',
  description:
    'Puts right what an extraction got wrong. Later documents of the same vendor or layout are extracted with what that taught; the account chosen for a line is suggested for lines like it. Learned for this client only.',
  area: 'Document AI',
  scopes: ['vision:corrections'],
  input: CorrectResult,
  output: CorrectionResponse,
  effects: 'write',
  idempotent: true,
  route: visionRoute('results/{id}', { method: 'patch', params: ['id'] }),
  errors: ['NOT_FOUND', 'CONFLICT'],
  run: async ({ tx, caller, services, request }, input) => {
    const { lesson, fields, corrected_fields } = await correctResult(tx, caller, {
      input,
      correctionId: request.requestId,
    });
    const data = { request_id: input.id, fields, corrected_fields };
    return lesson === undefined ? { data } : { data, afterCommit: () => learnNow(services, lesson) };
  },
});

/** Starts the workflow without waiting for the outbox, which stays as the safety net when Temporal is away. */
async function learnNow({ temporal, system, log }: Services, lesson: LessonWorkflow): Promise<void> {
  try {
    await temporal.start(lesson);
    await forgetWorkflowStart(system, lesson.workflowId);
    await temporal.settled(lesson.workflowId, LESSON_BUDGET_MS);
  } catch (error) {
    log.warn({ err: (error as Error).message, workflow_id: lesson.workflowId }, 'left to the outbox: not learned yet');
  }
}
