import {
  RunWorkflowTemplate,
  WorkflowRunView,
  WorkflowTemplateId,
} from '../../../domain/contracts/workflow-templates.ts';
import { runTemplate } from '../../../domain/workflow-templates/index.ts';
import { operation } from '../../operation.ts';

export const runWorkflowTemplateOperation = operation({
  name: 'run-workflow-template',
  title: 'Run a workflow template',
  description:
    'Starts a run of an active workflow template, whatever its trigger is, for a work item or with data of your own. The run goes on by itself; GET it to see how far it is. For owners and admins.',
  area: 'Workflow templates',
  scopes: null,
  input: RunWorkflowTemplate.extend({ id: WorkflowTemplateId }),
  output: WorkflowRunView,
  effects: 'write',
  route: { method: 'post', path: '/api/v1/workflows/{id}/runs', auth: ['jwt'], params: ['id'], status: 202 },
  errors: ['FORBIDDEN', 'NOT_FOUND', 'UNPROCESSABLE_ENTITY'],
  run: async ({ caller, tx }, { id, ...input }) => ({ data: await runTemplate(tx, caller, id, input) }),
});
