import { z } from 'zod';
import { WorkflowTemplateId } from '../../../domain/contracts/workflow-templates.ts';
import { deleteTemplate } from '../../../domain/workflow-templates/index.ts';
import { operation } from '../../operation.ts';

export const deleteWorkflowTemplateOperation = operation({
  name: 'delete-workflow-template',
  title: 'Delete a workflow template',
  description: 'Deletes a workflow template. Runs under way go on. For owners and admins.',
  area: 'Workflow templates',
  scopes: null,
  input: z.strictObject({ id: WorkflowTemplateId }),
  output: z.object({ id: z.int(), deleted: z.literal(true) }),
  effects: 'destructive',
  route: { method: 'delete', path: '/api/v1/workflows/{id}', auth: ['jwt'], params: ['id'] },
  errors: ['FORBIDDEN', 'NOT_FOUND'],
  run: async ({ caller, tx }, { id }) => {
    await deleteTemplate(tx, caller, id);
    return { data: { id, deleted: true as const } };
  },
});
