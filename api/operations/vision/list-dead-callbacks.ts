import { ListDeadLetters } from '../../../domain/contracts/deliveries.ts';
import { DeadCallbacks } from '../../../domain/contracts/vision-callbacks.ts';
import { listDeadCallbacks } from '../../../domain/vision/index.ts';
import { operation } from '../../operation.ts';
import { visionRoute } from '../../vision/route.ts';

export const listDeadCallbacksOperation = operation({
  name: 'list-dead-callbacks',
  title: 'List the dead-letter queue of callbacks',
  description:
    'Lists the callbacks of Document AI calls whose retries all failed, by when they were dead-lettered. They are kept for 30 days, then expire; the result itself can be fetched all the same. replay-callback sends one again. Those of erased results are not among them. The total is counted up to 10,000.',
  area: 'Document AI',
  scopes: ['vision:extract'],
  input: ListDeadLetters,
  output: DeadCallbacks,
  paginated: true,
  effects: 'read',
  route: visionRoute('callbacks/dlq', { method: 'get' }),
  run: async ({ tx, caller }, filter) => {
    const { callbacks, pagination } = await listDeadCallbacks(tx, caller, filter);
    return { data: { callbacks }, pagination };
  },
});
