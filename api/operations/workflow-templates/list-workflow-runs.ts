import { z } from 'zod';
import { ListWorkflowRuns, WorkflowRunView, WorkflowTemplateId } from '../../../domain/contracts/workflow-templates.ts';
import { listRuns } from '../../../domain/workflow-templates/index.ts';
import { operation } from '../../operation.ts';

export const listWorkflowRunsOperation = operation({
  name: 'list-workflow-runs',
  title: 'List the runs of a workflow template',
  description:
    'Lists the runs of a workflow template, newest first. total counts up to 10,000; beyond that total_is_exact is false.',
  area: 'Workflow templates',
  scopes: ['workflows:read'],
  input: ListWorkflowRuns.extend({ id: WorkflowTemplateId }),
  output: z.array(WorkflowRunView),
  paginated: true,
  effects: 'read',
  route: { method: 'get', path: '/api/v1/workflows/{id}/runs', auth: ['jwt', 'oauth'], params: ['id'] },
  errors: ['NOT_FOUND'],
  run: async ({ tx }, { id, ...filter }) => {
    const { runs, pagination } = await listRuns(tx, id, filter);
    return { data: runs, pagination };
  },
});
