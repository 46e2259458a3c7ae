import { ChangeRecurringState, RecurringJobView } from '../../../domain/contracts/recurring.ts';
import { pauseRecurringJob } from '../../../domain/recurring/index.ts';
import { operation } from '../../operation.ts';

export const pauseRecurringJobOperation = operation({
  name: 'pause-recurring-job',
  title: 'Pause a recurring job',
  description:
    'Stops an active recurring job from generating work items until resume-recurring-job. Occurrences that fall into the pause are not made up for. Pausing a paused job changes nothing. Returns the recurring job; one that is completed is refused with 422.',
  area: 'Recurring jobs',
  scopes: ['recurring:write'],
  input: ChangeRecurringState,
  output: RecurringJobView,
  effects: 'write',
  idempotent: true,
  action: true,
  errors: ['NOT_FOUND', 'UNPROCESSABLE_ENTITY'],
  run: async ({ tx, caller, services }, input) => ({
    data: await pauseRecurringJob(tx, caller, input, services.clock.now()),
  }),
});
