import { CreateManagedTask } from '../../../domain/contracts/managed-tasks.ts';
import { WorkItemView } from '../../../domain/contracts/work-items.ts';
import { createManagedTask } from '../../../domain/work-items/index.ts';
import { operation } from '../../operation.ts';

export const createManagedTaskOperation = operation({
  name: 'create-managed-task',
  title: 'Create a managed task',
  description:
    'Creates a task of the operations module, for one or more users. Each call makes a new task. For a task about an existing work item, at most one for each user, use add-work-item-to-managed-task. Change it with update-work-item. Returns the task.',
  area: 'Work items',
  scopes: ['work_items:write'],
  input: CreateManagedTask,
  output: WorkItemView,
  effects: 'write',
  action: true,
  run: async ({ caller, tx }, input) => ({ data: await createManagedTask(tx, caller, input) }),
});
