import { ReplayCallbacks, ReplayedCallbacks } from '../../../domain/contracts/vision-callbacks.ts';
import { replayDeadCallbacks } from '../../../domain/vision/index.ts';
import { operation } from '../../operation.ts';
import { visionRoute } from '../../vision/route.ts';

export const replayCallbacksOperation = operation({
  name: 'replay-callbacks',
  title: 'Send dead callbacks again',
  description:
    'Sends callbacks of the dead-letter queue again: those with the given ids (up to 1,000), or those that were dead-lettered from one time to another, the oldest 1,000 first; remaining says how many are left for another call. Each begins a new round with the same body and Idempotency-Key. dry_run counts without sending.',
  area: 'Document AI',
  scopes: ['vision:extract'],
  input: ReplayCallbacks,
  output: ReplayedCallbacks,
  effects: 'write',
  route: visionRoute('callbacks/dlq/replay', { method: 'post' }),
  run: async ({ tx, caller }, input) => ({ data: await replayDeadCallbacks(tx, caller, input) }),
});
