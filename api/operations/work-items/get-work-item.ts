import { GetWorkItem, WorkItemDetail } from '../../../domain/contracts/work-items.ts';
import { getWorkItem } from '../../../domain/work-items/index.ts';
import { operation } from '../../operation.ts';

export const getWorkItemOperation = operation({
  name: 'get-work-item',
  title: 'Get a work item',
  description:
    'Returns one work item with all its fields, assignees and contractors, and how many relationships and comments it has (get-work-item-relationships, get-work-item-comments). Find its UUID with list-work-items.',
  area: 'Work items',
  scopes: ['work_items:read'],
  input: GetWorkItem,
  output: WorkItemDetail,
  effects: 'read',
  action: true,
  route: { method: 'get', path: '/api/v1/work-items/{work_item_id}', auth: ['jwt', 'oauth'], params: ['work_item_id'] },
  errors: ['NOT_FOUND'],
  run: async ({ tx }, input) => ({ data: await getWorkItem(tx, input.work_item_id) }),
});
