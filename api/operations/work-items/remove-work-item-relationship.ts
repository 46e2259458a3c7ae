import {
  RemovedWorkItemRelationship,
  RemoveWorkItemRelationship,
} from '../../../domain/contracts/work-item-relationships.ts';
import { removeRelationship } from '../../../domain/work-items/index.ts';
import { operation } from '../../operation.ts';

export const removeWorkItemRelationshipOperation = operation({
  name: 'remove-work-item-relationship',
  title: 'Remove a relationship of a work item',
  description:
    'Takes away one relationship between two work items; the items stay. Name it as get-work-item-relationships shows it: an outgoing one from work_item_id, an incoming one with the two ids exchanged. One that is not there is 404.',
  area: 'Work items',
  scopes: ['work_items:write'],
  input: RemoveWorkItemRelationship,
  output: RemovedWorkItemRelationship,
  effects: 'destructive',
  action: true,
  route: {
    method: 'delete',
    path: '/api/v1/work-items/{work_item_id}/relationships/{relationship_type}/{related_work_item_id}',
    auth: ['jwt', 'oauth'],
    params: ['work_item_id', 'relationship_type', 'related_work_item_id'],
  },
  errors: ['NOT_FOUND'],
  run: async ({ caller, tx }, input) => {
    await removeRelationship(tx, caller, input);
    return { data: { removed: true as const } };
  },
});
