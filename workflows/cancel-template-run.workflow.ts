import { getExternalWorkflowHandle, isCancellation, proxyActivities } from '@temporalio/workflow';
import type { TemplateActivities } from '../activities/workflow-templates.ts';
import { runTemplateWorkflowId } from '../domain/contracts/workflows.ts';
import type { CancelTemplateRunInput } from '../domain/contracts/workflows.ts';

const { finishRun } = proxyActivities<Pick<TemplateActivities, 'finishRun'>>({
  startToCloseTimeout: '30 seconds',
  retry: { initialInterval: '500 milliseconds', backoffCoefficient: 2, maximumInterval: '1 minute' },
});

/**
 * Cancels the workflow of a run whose row says so already, and ends the run. Not left to the run's own workflow, which may
 * not be there: not started yet (its run may not begin then) or terminated by an operator.
 */
export async function cancelTemplateRun(input: CancelTemplateRunInput): Promise<{ found: boolean }> {
  const found = await cancelWorkflow(runTemplateWorkflowId(input.template_id, input.run_id));
  await finishRun(input, 'cancelled', null);
  return { found };
}

async function cancelWorkflow(workflowId: string): Promise<boolean> {
  try {
    await getExternalWorkflowHandle(workflowId).cancel();
    return true;
  } catch (error) {
    if (isCancellation(error)) throw error;
    return false;
  }
}
