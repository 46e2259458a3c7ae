import { z } from 'zod';
import { WorkflowRunDetail, WorkflowTemplateId } from '../../../domain/contracts/workflow-templates.ts';
import { getRunWithSteps } from '../../../domain/workflow-templates/index.ts';
import { operation } from '../../operation.ts';

export const getWorkflowRunOperation = operation({
  name: 'get-workflow-run',
  title: 'Get a run of a workflow template',
  description: 'Returns one run with its status and the steps that were done.',
  area: 'Workflow templates',
  scopes: ['workflows:read'],
  input: z.strictObject({ id: WorkflowTemplateId, run_id: z.uuid().describe('Id of the run') }),
  output: WorkflowRunDetail,
  effects: 'read',
  route: {
    method: 'get',
    path: '/api/v1/workflows/{id}/runs/{run_id}',
    auth: ['jwt', 'oauth'],
    params: ['id', 'run_id'],
  },
  errors: ['NOT_FOUND'],
  run: async ({ tx }, { id, run_id }) => ({ data: await getRunWithSteps(tx, id, run_id) }),
});
