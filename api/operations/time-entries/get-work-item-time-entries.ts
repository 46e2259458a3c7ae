import { ListTimeEntries, TimeEntryList } from '../../../domain/contracts/time-entries.ts';
import { listTimeEntries } from '../../../domain/time-entries/index.ts';
import { operation } from '../../operation.ts';

export const getWorkItemTimeEntriesOperation = operation({
  name: 'get-work-item-time-entries',
  title: 'List the time spent on a work item',
  description:
    'Lists the time entries of one work item, newest first, and how many minutes all of them come to. Find the work_item_id with list-work-items; log time with create-time-entry.',
  area: 'Time entries',
  scopes: ['work_items:read'],
  input: ListTimeEntries,
  output: TimeEntryList,
  paginated: true,
  effects: 'read',
  action: true,
  route: {
    method: 'get',
    path: '/api/v1/work-items/{work_item_id}/time-entries',
    auth: ['jwt', 'oauth'],
    params: ['work_item_id'],
  },
  errors: ['NOT_FOUND'],
  run: async ({ tx }, input) => {
    const { entries, pagination } = await listTimeEntries(tx, input);
    return { data: entries, pagination };
  },
});
