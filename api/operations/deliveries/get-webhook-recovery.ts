import { z } from 'zod';
import { RecoveryView } from '../../../domain/contracts/deliveries.ts';
import { getRecovery, getWebhook } from '../../../domain/webhooks/index.ts';
import { operation } from '../../operation.ts';
import { WebhookId } from '../webhooks/get-webhook.ts';

export const getWebhookRecoveryOperation = operation({
  name: 'get-webhook-recovery',
  title: 'Get a recovery of a webhook',
  description: 'Returns how far a recovery is, or a replay of more dead letters than one call takes.',
  area: 'Outbound webhooks',
  scopes: ['webhooks:read'],
  input: z.strictObject({ id: WebhookId, recovery_id: z.uuid().describe('Id of the recovery') }),
  output: RecoveryView,
  effects: 'read',
  route: {
    method: 'get',
    path: '/api/v1/work-items/webhooks/{id}/recoveries/{recovery_id}',
    auth: ['jwt'],
    params: ['id', 'recovery_id'],
  },
  errors: ['NOT_FOUND'],
  run: async ({ tx, caller }, { id, recovery_id }) => {
    const [, recovery] = await Promise.all([getWebhook(tx, caller, id), getRecovery(tx, id, recovery_id)]);
    return { data: recovery };
  },
});
