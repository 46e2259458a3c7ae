import { ListWorkItems, WorkItemList } from '../../../domain/contracts/work-items.ts';
import { listWorkItems } from '../../../domain/work-items/index.ts';
import { operation } from '../../operation.ts';

export const listWorkItemsOperation = operation({
  name: 'list-work-items',
  title: 'List work items',
  description:
    'Lists work items (jobs, tasks, tickets, projects, milestones), newest first unless sorted otherwise. Narrow it by type, status, priority, assignee, team, contact, contractor, parent or project, tags, dates, or words to search for; what is given must match all together. Use it to find the work_item_id that other actions take, and get-work-item for assignees and counts of one. total may be a lower bound (10,000 at most, 1,000 where several filters match many); then total_is_exact is false.',
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
