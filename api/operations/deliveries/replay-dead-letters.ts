import { ReplayAnswer, ReplayDeadLetters } from '../../../domain/contracts/deliveries.ts';
import { getWebhook, replayDeadLetters } from '../../../domain/webhooks/index.ts';
import { operation } from '../../operation.ts';
import { WebhookId } from '../webhooks/get-webhook.ts';

export const replayDeadLettersOperation = operation({
  name: 'replay-dead-letters',
  title: 'Replay dead letters',
  description:
    'Sends dead letters of a webhook again: those with the given ids (up to 1,000), or all that were dead-lettered from one time to another. Each begins a new round with the same event id and Idempotency-Key. Ids that are not in the queue are answered in skipped_ids. Over 1,000 in a range are replayed in the background: the answer is 202 with a recovery_id. dry_run counts without sending.',
  area: 'Outbound webhooks',
  scopes: ['webhooks:write'],
  input: ReplayDeadLetters.extend({ id: WebhookId }),
  output: ReplayAnswer,
  effects: 'write',
  route: {
    method: 'post',
    path: '/api/v1/work-items/webhooks/{id}/dlq/replay',
    auth: ['jwt'],
    params: ['id'],
    status: 200,
    otherStatuses: [202],
  },
  errors: ['NOT_FOUND', 'CONFLICT'],
  run: async ({ tx, caller }, { id, ...input }) => {
    const answer = await replayDeadLetters(tx, caller, await getWebhook(tx, caller, id), input);
    return { data: answer, ...(answer.recovery_id === null ? {} : { status: 202 }) };
  },
});
