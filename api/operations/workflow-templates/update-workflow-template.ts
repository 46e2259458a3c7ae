import {
  UpdateWorkflowTemplate,
  WorkflowTemplateId,
  WorkflowTemplateView,
} from '../../../domain/contracts/workflow-templates.ts';
import { updateTemplate } from '../../../domain/workflow-templates/index.ts';
import { operation } from '../../operation.ts';

export const updateWorkflowTemplateOperation = operation({
  name: 'update-workflow-template',
  title: 'Update a workflow template',
  description:
    'Changes the given fields of a workflow template; `config` is replaced whole. Runs under way keep the steps they began with. For owners and admins.',
  area: 'Workflow templates',
  scopes: null,
  input: UpdateWorkflowTemplate.extend({ id: WorkflowTemplateId }),
  output: WorkflowTemplateView,
  effects: 'write',
  route: { method: 'patch', path: '/api/v1/workflows/{id}', auth: ['jwt'], params: ['id'] },
  errors: ['FORBIDDEN', 'NOT_FOUND'],
  run: async ({ caller, tx }, { id, ...input }) => ({ data: await updateTemplate(tx, caller, id, input) }),
});
