import { z } from 'zod';
import { ListWorkflowTemplates, WorkflowTemplateView } from '../../../domain/contracts/workflow-templates.ts';
import { listTemplates } from '../../../domain/workflow-templates/index.ts';
import { operation } from '../../operation.ts';

export const listWorkflowTemplatesOperation = operation({
  name: 'list-workflow-templates',
  title: 'List workflow templates',
  description: 'Lists workflow templates, newest first, by module, type, status or what starts them.',
  area: 'Workflow templates',
  scopes: ['workflows:read'],
  input: ListWorkflowTemplates,
  output: z.array(WorkflowTemplateView),
  paginated: true,
  effects: 'read',
  route: { method: 'get', path: '/api/v1/workflows', auth: ['jwt', 'oauth'] },
  run: async ({ tx }, input) => {
    const { templates, pagination } = await listTemplates(tx, input);
    return { data: templates, pagination };
  },
});
