import { CreateWorkflowTemplate, WorkflowTemplateView } from '../../../domain/contracts/workflow-templates.ts';
import { createTemplate } from '../../../domain/workflow-templates/index.ts';
import { operation } from '../../operation.ts';

export const createWorkflowTemplateOperation = operation({
  name: 'create-workflow-template',
  title: 'Create a workflow template',
  description:
    'Creates a workflow template: what starts it, and the steps it then takes (create an item, assign, comment, notify, wait, branch). Only active templates run. For owners and admins.',
  area: 'Workflow templates',
  scopes: null,
  input: CreateWorkflowTemplate,
  output: WorkflowTemplateView,
  effects: 'write',
  route: { method: 'post', path: '/api/v1/workflows', auth: ['jwt'], status: 201 },
  errors: ['FORBIDDEN'],
  run: async ({ caller, tx }, input) => ({ data: await createTemplate(tx, caller, input) }),
});
