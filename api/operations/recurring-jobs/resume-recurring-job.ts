import { ChangeRecurringState, RecurringJobView } from '../../../domain/contracts/recurring.ts';
import { resumeRecurringJob } from '../../../domain/recurring/index.ts';
import { operation } from '../../operation.ts';

export const resumeRecurringJobOperation = operation({
  name: 'resume-recurring-job',
  title: 'Resume a recurring job',
  description:
    'Lets a paused recurring job generate work items again, beginning with the first occurrence from now on. Resuming an active job changes nothing. Returns the recurring job; one without an occurrence left is refused with 422: move its end with update-recurring-job first.',
  area: 'Recurring jobs',
  scopes: ['recurring:write'],
  input: ChangeRecurringState,
  output: RecurringJobView,
  effects: 'write',
  idempotent: true,
  action: true,
  errors: ['NOT_FOUND', 'UNPROCESSABLE_ENTITY'],
  run: async ({ tx, caller, services }, input) => ({
    data: await resumeRecurringJob(tx, caller, input, services.clock.now()),
  }),
});
