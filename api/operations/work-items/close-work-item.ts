import { CloseWorkItem, WorkItemWithPeople } from '../../../domain/contracts/work-items.ts';
import { closeWorkItem } from '../../../domain/work-items/index.ts';
import { operation } from '../../operation.ts';

export const closeWorkItemOperation = operation({
  name: 'close-work-item',
  title: 'Close a work item',
  description:
    'Ends a work item with a closing status (completed unless told otherwise), sets completed_at and closed_at, and keeps the note in the activity log. Closing an item that has that status already succeeds and changes nothing. To open it again use update-work-item with status open. Returns the item.',
  area: 'Work items',
  scopes: ['work_items:write'],
  input: CloseWorkItem,
  output: WorkItemWithPeople,
  effects: 'write',
  idempotent: true,
  action: true,
  route: {
    method: 'post',
    path: '/api/v1/work-items/{work_item_id}/close',
    auth: ['jwt', 'oauth'],
    params: ['work_item_id'],
  },
  errors: ['NOT_FOUND'],
  run: async ({ caller, tx }, input) => ({ data: await closeWorkItem(tx, caller, input) }),
});
