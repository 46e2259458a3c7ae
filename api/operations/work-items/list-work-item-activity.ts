import { z } from 'zod';
import { ListWorkItemActivity, WorkItemActivity } from '../../../domain/contracts/work-items.ts';
import { listActivity } from '../../../domain/work-items/index.ts';
import { operation } from '../../operation.ts';

export const listWorkItemActivityOperation = operation({
  name: 'list-work-item-activity',
  title: 'List the activity of a work item',
  description:
    'Lists what was done with a work item, newest first: who changed which field from what to what, status changes with their notes, relationships.',
  area: 'Work items',
  scopes: ['work_items:read'],
  input: ListWorkItemActivity,
  output: z.array(WorkItemActivity),
  paginated: true,
  effects: 'read',
  route: {
    method: 'get',
    path: '/api/v1/work-items/{work_item_id}/activity',
    auth: ['jwt', 'oauth'],
    params: ['work_item_id'],
  },
  errors: ['NOT_FOUND'],
  run: async ({ tx }, { work_item_id, ...window }) => {
    const { activity, pagination } = await listActivity(tx, work_item_id, window);
    return { data: activity, pagination };
  },
});
