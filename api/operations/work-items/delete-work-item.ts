import { DeletedWorkItem, DeleteWorkItem } from '../../../domain/contracts/work-items.ts';
import { deleteWorkItem } from '../../../domain/work-items/index.ts';
import { operation } from '../../operation.ts';

export const deleteWorkItemOperation = operation({
  name: 'delete-work-item',
  title: 'Delete a work item',
  description:
    'Deletes a work item with all work items that are child_of it, however deep, and their appointments. There is no way back. Deleting a deleted item succeeds and changes nothing. For work that is done or called off use close-work-item instead. Returns how many items were deleted.',
  area: 'Work items',
  scopes: ['work_items:write', 'work_items:delete'],
  input: DeleteWorkItem,
  output: DeletedWorkItem,
  effects: 'destructive',
  idempotent: true,
  action: true,
  route: {
    method: 'delete',
    path: '/api/v1/work-items/{work_item_id}',
    auth: ['jwt', 'oauth'],
    params: ['work_item_id'],
  },
  errors: ['NOT_FOUND'],
  run: async ({ caller, tx }, input) => ({ data: await deleteWorkItem(tx, caller, input.work_item_id) }),
});
