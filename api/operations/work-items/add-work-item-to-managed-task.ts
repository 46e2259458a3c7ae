import { AddWorkItemToManagedTask, ManagedTaskView } from '../../../domain/contracts/managed-tasks.ts';
import { addWorkItemToManagedTask } from '../../../domain/work-items/index.ts';
import { operation } from '../../operation.ts';

export const addWorkItemToManagedTaskOperation = operation({
  name: 'add-work-item-to-managed-task',
  title: "Put a work item on a user's task list",
  description:
    'Gives a user a task about an existing work item: child_of that item, with its id, number, type and title in custom_fields.reference. There is at most one such task for a work item and user: when there is one it is returned unchanged with already_existed true, so a repetition is safe. Returns the task.',
  area: 'Work items',
  scopes: ['work_items:write'],
  input: AddWorkItemToManagedTask,
  output: ManagedTaskView,
  effects: 'write',
  idempotent: true,
  action: true,
  errors: ['NOT_FOUND'],
  run: async ({ caller, tx }, input) => ({ data: await addWorkItemToManagedTask(tx, caller, input) }),
});
