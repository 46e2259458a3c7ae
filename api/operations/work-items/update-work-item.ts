import { UpdateWorkItem, WorkItemWithPeople } from '../../../domain/contracts/work-items.ts';
import { updateWorkItem } from '../../../domain/work-items/index.ts';
import { operation } from '../../operation.ts';

export const updateWorkItemOperation = operation({
  name: 'update-work-item',
  title: 'Update a work item',
  description:
    'Changes the given fields of a work item and leaves all others as they are; null empties an optional field. Lists and custom_fields are replaced as a whole. Give at least one field beside work_item_id (find it with list-work-items). item_type can not be changed. To end an item with a note use close-work-item. Returns the item after the change.',
  area: 'Work items',
  scopes: ['work_items:write'],
  input: UpdateWorkItem,
  output: WorkItemWithPeople,
  effects: 'write',
  idempotent: true,
  action: true,
  route: {
    method: 'patch',
    path: '/api/v1/work-items/{work_item_id}',
    auth: ['jwt', 'oauth'],
    params: ['work_item_id'],
  },
  errors: ['NOT_FOUND'],
  run: async ({ caller, tx }, input) => ({ data: await updateWorkItem(tx, caller, input) }),
});
