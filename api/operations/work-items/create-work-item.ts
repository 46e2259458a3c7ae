import { CreateWorkItem, WorkItemWithPeople } from '../../../domain/contracts/work-items.ts';
import { createWorkItemWithPeople } from '../../../domain/work-items/index.ts';
import { operation } from '../../operation.ts';

export const createWorkItemOperation = operation({
  name: 'create-work-item',
  title: 'Create a work item',
  description:
    'Creates a job, task, ticket, project or milestone. Each call makes a new item: look with list-work-items first whether there is one already, and change that with update-work-item. Returns the item with its work_item_id, its item_number and who works on it.',
  area: 'Work items',
  scopes: ['work_items:write'],
  input: CreateWorkItem,
  output: WorkItemWithPeople,
  effects: 'write',
  joins: true,
  action: true,
  route: { method: 'post', path: '/api/v1/work-items', auth: ['jwt', 'oauth'], status: 201 },
  run: async ({ caller, tx }, input) => ({ data: await createWorkItemWithPeople(tx, caller, input) }),
});
