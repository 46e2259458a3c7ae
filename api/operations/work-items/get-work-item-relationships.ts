import {
  ListWorkItemRelationships,
  WorkItemRelationshipList,
} from '../../../domain/contracts/work-item-relationships.ts';
import { listRelationships } from '../../../domain/work-items/index.ts';
import { operation } from '../../operation.ts';

export const getWorkItemRelationshipsOperation = operation({
  name: 'get-work-item-relationships',
  title: 'Get the relationships of a work item',
  description:
    'Lists how a work item is related to others, newest first, in either direction: parents and children (child_of), what blocks it and what it blocks, duplicates and related items, each with number, title, status and priority of the related item. Deleted items are left out.',
  area: 'Work items',
  scopes: ['work_items:read'],
  input: ListWorkItemRelationships,
  output: WorkItemRelationshipList,
  paginated: true,
  effects: 'read',
  action: true,
  route: {
    method: 'get',
    path: '/api/v1/work-items/{work_item_id}/relationships',
    auth: ['jwt', 'oauth'],
    params: ['work_item_id'],
    unwrap: 'relationships',
  },
  errors: ['NOT_FOUND'],
  run: async ({ tx }, { work_item_id, ...window }) => {
    const { relationships, pagination } = await listRelationships(tx, work_item_id, window);
    return { data: { relationships }, pagination };
  },
});
