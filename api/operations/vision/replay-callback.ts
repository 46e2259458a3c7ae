import { ReplayCallback, ReplayedCallback } from '../../../domain/contracts/vision-callbacks.ts';
import { replayDeadCallback } from '../../../domain/vision/index.ts';
import { operation } from '../../operation.ts';
import { visionRoute } from '../../vision/route.ts';

export const replayCallbackOperation = operation({
  name: 'replay-callback',
  title: 'Send a dead callback again',
  description:
    'Sends one callback of the dead-letter queue again, as a new round with the same body and Idempotency-Key. One that arrived or is being retried is refused.',
  area: 'Document AI',
  scopes: ['vision:extract'],
  input: ReplayCallback,
  output: ReplayedCallback,
  effects: 'write',
  route: visionRoute('callbacks/{callback_id}/replay', { method: 'post', params: ['callback_id'], status: 202 }),
  errors: ['NOT_FOUND', 'CONFLICT'],
  run: async ({ tx, caller }, { callback_id: id }) => ({
    data: { callback: await replayDeadCallback(tx, caller, id) },
  }),
});
