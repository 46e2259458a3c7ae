import { DeletedRecurringJob, GetRecurringJob } from '../../../domain/contracts/recurring.ts';
import { deleteRecurringJob } from '../../../domain/recurring/index.ts';
import { operation } from '../../operation.ts';

export const deleteRecurringJobOperation = operation({
  name: 'delete-recurring-job',
  title: 'Delete a recurring job',
  description:
    'Deletes a recurring job and the record of its runs: it generates nothing any more. The work items that it has generated stay. There is no way back; to stop it for a while use pause-recurring-job.',
  area: 'Recurring jobs',
  scopes: ['recurring:write'],
  input: GetRecurringJob,
  output: DeletedRecurringJob,
  effects: 'destructive',
  action: true,
  errors: ['NOT_FOUND'],
  run: async ({ tx, caller }, input) => ({ data: await deleteRecurringJob(tx, caller, input.recurring_job_id) }),
});
