import { ListRecurringJobs, RecurringJobList } from '../../../domain/contracts/recurring.ts';
import { listRecurringJobs } from '../../../domain/recurring/index.ts';
import { operation } from '../../operation.ts';

export const listRecurringJobsOperation = operation({
  name: 'list-recurring-jobs',
  title: 'List recurring jobs',
  description:
    'Lists recurring jobs, newest first, optionally only those in one state, of one item type, or with a text in the title. get-recurring-job tells more of one.',
  area: 'Recurring jobs',
  scopes: ['recurring:read'],
  input: ListRecurringJobs,
  output: RecurringJobList,
  paginated: true,
  effects: 'read',
  action: true,
  run: async ({ tx }, input) => {
    const { jobs, pagination } = await listRecurringJobs(tx, input);
    return { data: { recurring_jobs: jobs }, pagination };
  },
});
