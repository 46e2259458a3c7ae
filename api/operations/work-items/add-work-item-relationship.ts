import {
  AddedWorkItemRelationship,
  AddWorkItemRelationship,
} from '../../../domain/contracts/work-item-relationships.ts';
import { addRelationship } from '../../../domain/work-items/index.ts';
import { operation } from '../../operation.ts';

export const addWorkItemRelationshipOperation = operation({
  name: 'add-work-item-relationship',
  title: 'Relate two work items',
  description:
    'Relates a work item to another one: child_of, blocks, relates_to or duplicates. A relationship that is there already is answered with already_existed true. child_of and blocks must not lead back to the item, and none to itself (422). Deleting a work item deletes those that are child_of it. Returns the relationship with the related item.',
  area: 'Work items',
  scopes: ['work_items:write'],
  input: AddWorkItemRelationship,
  output: AddedWorkItemRelationship,
  effects: 'write',
  idempotent: true,
  action: true,
  route: {
    method: 'post',
    path: '/api/v1/work-items/{work_item_id}/relationships',
    auth: ['jwt', 'oauth'],
    params: ['work_item_id'],
    status: 201,
    otherStatuses: [200],
  },
  errors: ['NOT_FOUND', 'CONFLICT', 'UNPROCESSABLE_ENTITY'],
  run: async ({ caller, tx }, input) => {
    const data = await addRelationship(tx, caller, input);
    return data.already_existed ? { data, status: 200 } : { data };
  },
});
