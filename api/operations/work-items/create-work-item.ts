import { CreateWorkItem, WorkItemView } from '../../../domain/contracts/work-items.ts';
import { createWorkItem } from '../../../domain/work-items/index.ts';
import { operation } from '../../operation.ts';

export const createWorkItemOperation = operation({
  name: 'create-work-item',
  title: 'Create a work item',
  description:
    'Creates a job, task, ticket, project or milestone. Use it for new work; to change an existing item use update-work-item.',
  area: 'Work items',
  scopes: ['work_items:write'],
  input: CreateWorkItem,
  output: WorkItemView,
  effects: 'write',
  action: true,
  run: async ({ caller, tx }, input) => ({ data: await createWorkItem(tx, caller, input) }),
});
