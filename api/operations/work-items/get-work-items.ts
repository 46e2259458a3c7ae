import { listWorkItemsOperation } from './list-work-items.ts';

/** The name that list-work-items had before 2026-07-01. */
const { route: _, ...action } = listWorkItemsOperation;
export const getWorkItemsOperation = {
  ...action,
  name: 'get-work-items',
  title: 'List work items (old name)',
  description: 'Deprecated: use list-work-items, which takes the same parameters and gives the same answer.',
  deprecation: {
    since: '2026-07-01',
    replacement: 'list-work-items',
    guide: '/docs/migrations/v1-to-v2#get-work-items',
  },
};
