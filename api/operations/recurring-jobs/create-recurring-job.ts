import { CreateRecurringJob, RecurringJobView } from '../../../domain/contracts/recurring.ts';
import { createRecurringJob } from '../../../domain/recurring/index.ts';
import { operation } from '../../operation.ts';

export const createRecurringJobOperation = operation({
  name: 'create-recurring-job',
  title: 'Create a recurring job',
  description:
    'Creates a job that generates a work item by itself at each occurrence of a schedule: daily, weekly, monthly or by a cron expression, in a time zone, until end_date or max_occurrences. template holds what the items are like, by the fields of create-work-item. Occurrences before now are not generated. Returns the recurring job with next_occurrence_at. Look with list-recurring-jobs first whether there is one already.',
  area: 'Recurring jobs',
  scopes: ['recurring:write'],
  input: CreateRecurringJob,
  output: RecurringJobView,
  effects: 'write',
  action: true,
  run: async ({ tx, caller, services }, input) => ({
    data: await createRecurringJob(tx, caller, input, services.clock.now()),
  }),
});
