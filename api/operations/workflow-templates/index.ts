import type { Operation } from '../../operation.ts';
import { cancelWorkflowRunOperation } from './cancel-workflow-run.ts';
import { createWorkflowTemplateOperation } from './create-workflow-template.ts';
import { deleteWorkflowTemplateOperation } from './delete-workflow-template.ts';
import { getWorkflowRunOperation } from './get-workflow-run.ts';
import { getWorkflowTemplateOperation } from './get-workflow-template.ts';
import { listWorkflowRunsOperation } from './list-workflow-runs.ts';
import { listWorkflowTemplatesOperation } from './list-workflow-templates.ts';
import { runWorkflowTemplateOperation } from './run-workflow-template.ts';
import { updateWorkflowTemplateOperation } from './update-workflow-template.ts';

export const workflowTemplateOperations: readonly Operation[] = [
  listWorkflowTemplatesOperation,
  createWorkflowTemplateOperation,
  getWorkflowTemplateOperation,
  updateWorkflowTemplateOperation,
  deleteWorkflowTemplateOperation,
  runWorkflowTemplateOperation,
  listWorkflowRunsOperation,
  getWorkflowRunOperation,
  cancelWorkflowRunOperation,
];
