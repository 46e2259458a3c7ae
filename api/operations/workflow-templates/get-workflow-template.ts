import { z } from 'zod';
import { WorkflowTemplateId, WorkflowTemplateView } from '../../../domain/contracts/workflow-templates.ts';
import { getTemplate } from '../../../domain/workflow-templates/index.ts';
import { operation } from '../../operation.ts';

export const getWorkflowTemplateOperation = operation({
  name: 'get-workflow-template',
  title: 'Get a workflow template',
  description: 'Returns one workflow template with its configuration.',
  area: 'Workflow templates',
  scopes: ['workflows:read'],
  input: z.strictObject({ id: WorkflowTemplateId }),
  output: WorkflowTemplateView,
  effects: 'read',
  route: { method: 'get', path: '/api/v1/workflows/{id}', auth: ['jwt', 'oauth'], params: ['id'] },
  errors: ['NOT_FOUND'],
  run: async ({ tx }, { id }) => ({ data: await getTemplate(tx, id) }),
});
