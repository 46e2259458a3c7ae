import { CorrectionResponse, CorrectResult } from '../../../domain/contracts/vision-corrections.ts';
import { forgetWorkflowStart } from '../../../domain/outbox/index.ts';
import { correctResult, validationOf } from '../../../domain/vision/index.ts';
import type { LessonWorkflow } from '../../../domain/vision/index.ts';
import { detachedOperation } from '../../operation.ts';
import type { Services } from '../../services.ts';
import { visionRoute } from '../../vision/route.ts';

/**
 * How long an answer waits for what follows from its corrections: it shows the checks as they are now, and who sends the
 * next document at once has the good of the lesson.
 */
const LESSON_BUDGET_MS = 2_000;

export const correctResultOperation = detachedOperation({
  name: 'correct-result',
  title: 'Correct a result',
  description:
    'Puts right what an extraction got wrong, and makes its checks again. Later documents of the same vendor or layout are extracted with what that taught; the account chosen for a line is suggested for lines like it. Learned for this client only.',
  area: 'Document AI',
  scopes: ['vision:corrections'],
  input: CorrectResult,
  output: CorrectionResponse,
  effects: 'write',
  idempotent: true,
  route: visionRoute('results/{id}', { method: 'patch', params: ['id'] }),
  errors: ['NOT_FOUND', 'CONFLICT'],
  joinable: true,
  run: async ({ caller, services, request }, input) => {
    const { clientId } = caller;
    const { id, document } = input;
    const { workflow, asksForChecks, ...corrected } = await services.tenants.transaction(clientId, (tx) =>
      correctResult(tx, caller, { input, correctionId: request.requestId }),
    );
    await learnNow(services, workflow);
    const validation = asksForChecks
      ? await services.tenants.transaction(clientId, (tx) => validationOf(tx, id, document))
      : undefined;
    const data = { request_id: id, ...corrected, ...(validation === undefined ? {} : { validation }) };
    return { data, tellsOf: id };
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
