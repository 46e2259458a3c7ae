import { ListWorkItems, WorkItemList } from '../../../domain/contracts/work-items.ts';
import { listWorkItems } from '../../../domain/work-items/index.ts';
import { operation } from '../../operation.ts';

export const listWorkItemsOperation = operation({
  name: 'list-work-items',
  title: 'List work items',
  description: 'Lists work items, newest first, optionally only those of one type or status.',
  area: 'Work items',
  scopes: ['work_items:read'],
  input: ListWorkItems,
  output: WorkItemList,
  paginated: true,
  effects: 'read',
  action: true,
  route: { method: 'get', path: '/api/v1/work-items', auth: ['jwt', 'oauth'], unwrap: 'work_items' },
  run: async ({ tx }, input) => {
    const { items, pagination } = await listWorkItems(tx, input);
    return { data: { work_items: items }, pagination };
  },
});
