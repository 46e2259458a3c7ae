import { z } from 'zod';
import { WorkflowRunView, WorkflowTemplateId } from '../../../domain/contracts/workflow-templates.ts';
import { cancelRun } from '../../../domain/workflow-templates/index.ts';
import { operation } from '../../operation.ts';

export const cancelWorkflowRunOperation = operation({
  name: 'cancel-workflow-run',
  title: 'Cancel a run of a workflow template',
  description:
    'Cancels a run that is queued, running or waiting: no further step begins, and shortly after its status is cancelled. What its steps did stays. Asking again changes nothing; a run that has ended is refused. For owners and admins.',
  area: 'Workflow templates',
  scopes: null,
  input: z.strictObject({ id: WorkflowTemplateId, run_id: z.uuid().describe('Id of the run') }),
  output: WorkflowRunView,
  effects: 'write',
  route: {
    method: 'post',
    path: '/api/v1/workflows/{id}/runs/{run_id}/cancel',
    auth: ['jwt'],
    params: ['id', 'run_id'],
    status: 200,
  },
  errors: ['FORBIDDEN', 'NOT_FOUND', 'CONFLICT'],
  run: async ({ caller, tx }, { id, run_id }) => ({ data: await cancelRun(tx, caller, id, run_id) }),
});
