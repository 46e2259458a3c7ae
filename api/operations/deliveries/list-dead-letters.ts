import { z } from 'zod';
import { DeliveryView, ListDeadLetters } from '../../../domain/contracts/deliveries.ts';
import { getWebhook, listDeadLetters } from '../../../domain/webhooks/index.ts';
import { operation } from '../../operation.ts';
import { WebhookId } from '../webhooks/get-webhook.ts';

export const listDeadLettersOperation = operation({
  name: 'list-dead-letters',
  title: 'List the dead-letter queue of a webhook',
  description:
    'Lists the deliveries of a webhook whose retries all failed, by when they were dead-lettered. They are kept for 30 days, then expire. replay-dead-letters sends them again. The total is counted up to 10,000.',
  area: 'Outbound webhooks',
  scopes: ['webhooks:read'],
  input: ListDeadLetters.extend({ id: WebhookId }),
  output: z.array(DeliveryView),
  paginated: true,
  effects: 'read',
  route: { method: 'get', path: '/api/v1/work-items/webhooks/{id}/dlq', auth: ['jwt'], params: ['id'] },
  errors: ['NOT_FOUND'],
  run: async ({ tx, caller }, { id, ...filter }) => {
    const [, { deliveries, pagination }] = await Promise.all([
      getWebhook(tx, caller, id),
      listDeadLetters(tx, { webhookId: id }, filter),
    ]);
    return { data: deliveries, pagination };
  },
});
