import { RecurringJobView, UpdateRecurringJob } from '../../../domain/contracts/recurring.ts';
import { updateRecurringJob } from '../../../domain/recurring/index.ts';
import { operation } from '../../operation.ts';

export const updateRecurringJobOperation = operation({
  name: 'update-recurring-job',
  title: 'Update a recurring job',
  description:
    'Changes the fields that are given; the others stay. schedule and template are replaced as a whole. Items that exist already are not touched, and a new schedule counts from now on. end_date and max_occurrences can be cleared with null; moving them out makes a completed job active again. Returns the recurring job.',
  area: 'Recurring jobs',
  scopes: ['recurring:write'],
  input: UpdateRecurringJob,
  output: RecurringJobView,
  effects: 'write',
  idempotent: true,
  action: true,
  errors: ['NOT_FOUND'],
  run: async ({ tx, caller, services }, input) => ({
    data: await updateRecurringJob(tx, caller, input, services.clock.now()),
  }),
});
