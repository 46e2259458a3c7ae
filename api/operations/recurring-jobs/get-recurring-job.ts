import { GetRecurringJob, RecurringJobDetail } from '../../../domain/contracts/recurring.ts';
import { getRecurringJob } from '../../../domain/recurring/index.ts';
import { operation } from '../../operation.ts';

export const getRecurringJobOperation = operation({
  name: 'get-recurring-job',
  title: 'Get a recurring job',
  description:
    'Returns one recurring job by its UUID, with its next five occurrences, its last run (the work item it made, or why it failed) and how many items it has generated.',
  area: 'Recurring jobs',
  scopes: ['recurring:read'],
  input: GetRecurringJob,
  output: RecurringJobDetail,
  effects: 'read',
  action: true,
  errors: ['NOT_FOUND'],
  run: async ({ tx }, input) => ({ data: await getRecurringJob(tx, input.recurring_job_id) }),
});
