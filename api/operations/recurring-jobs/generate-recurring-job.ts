import { GeneratedOccurrence, GenerateRecurringJob } from '../../../domain/contracts/recurring.ts';
import { generateOccurrence } from '../../../domain/recurring/index.ts';
import { operation } from '../../operation.ts';

export const generateRecurringJobOperation = operation({
  name: 'generate-recurring-job',
  title: 'Generate an occurrence of a recurring job',
  description:
    'Creates the work item of one occurrence now, without waiting for its time: the next occurrence, or the one named by scheduled_for (also one that was missed or has failed). Each occurrence has one work item: asked again, or when its time comes, the same item is returned with already_generated true. Works on a paused job too; a completed one is refused with 422. Returns the work item and the recurring job.',
  area: 'Recurring jobs',
  scopes: ['recurring:write'],
  input: GenerateRecurringJob,
  output: GeneratedOccurrence,
  effects: 'write',
  action: true,
  errors: ['NOT_FOUND', 'CONFLICT', 'UNPROCESSABLE_ENTITY'],
  run: async ({ tx, caller, services }, input) => ({
    data: await generateOccurrence(tx, caller, input, services.clock.now()),
  }),
});
