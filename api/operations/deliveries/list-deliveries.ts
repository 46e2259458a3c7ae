import { z } from 'zod';
import { DeliveryView, ListDeliveries } from '../../../domain/contracts/deliveries.ts';
import { getWebhook, listDeliveries } from '../../../domain/webhooks/index.ts';
import { operation } from '../../operation.ts';
import { WebhookId } from '../webhooks/get-webhook.ts';

export const listDeliveriesOperation = operation({
  name: 'list-deliveries',
  title: 'List the deliveries of a webhook',
  description:
    'Lists what was or will be sent to a webhook, newest first, by status, event, time or text. The total is counted up to 10,000. Deliveries are kept for 30 days, failed ones until they expire.',
  area: 'Outbound webhooks',
  scopes: ['webhooks:read'],
  input: ListDeliveries.extend({ id: WebhookId }),
  output: z.array(DeliveryView),
  paginated: true,
  effects: 'read',
  route: { method: 'get', path: '/api/v1/work-items/webhooks/{id}/deliveries', auth: ['jwt'], params: ['id'] },
  errors: ['NOT_FOUND'],
  run: async ({ tx, caller }, { id, ...filter }) => {
    const [, { deliveries, pagination }] = await Promise.all([
      getWebhook(tx, caller, id),
      listDeliveries(tx, id, filter),
    ]);
    return { data: deliveries, pagination };
  },
});
