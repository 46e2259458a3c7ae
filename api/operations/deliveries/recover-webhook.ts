import { RecoverAnswer, RecoverWebhook } from '../../../domain/contracts/deliveries.ts';
import { getWebhook, recoverWebhook } from '../../../domain/webhooks/index.ts';
import { operation } from '../../operation.ts';
import { WebhookId } from '../webhooks/get-webhook.ts';

export const recoverWebhookOperation = operation({
  name: 'recover-webhook',
  title: 'Recover a webhook',
  description:
    'Sends a webhook what it should have received since a moment: its dead letters since then, and the events that occurred while it was inactive or not verified and that its subscription and filters, as they are now, let through. Goes on in the background: ask get-webhook-recovery with the recovery_id. dry_run counts without sending (missed events of the next 20,000 in the log). The webhook must be active again, and one recovery of it goes on at a time.',
  area: 'Outbound webhooks',
  scopes: ['webhooks:write'],
  input: RecoverWebhook.extend({ id: WebhookId }),
  output: RecoverAnswer,
  effects: 'write',
  route: {
    method: 'post',
    path: '/api/v1/work-items/webhooks/{id}/recover',
    auth: ['jwt'],
    params: ['id'],
    status: 202,
    otherStatuses: [200],
  },
  errors: ['NOT_FOUND', 'CONFLICT'],
  run: async ({ tx, caller, services }, { id, ...input }) => {
    const webhook = await getWebhook(tx, caller, id);
    const deps = { vault: services.vault, now: services.clock.now() };
    const answer = await recoverWebhook(tx, caller, webhook, input, deps);
    return { data: answer, ...(answer.dry_run ? { status: 200 } : {}) };
  },
});
