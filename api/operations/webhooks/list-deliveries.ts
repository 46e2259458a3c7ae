import { z } from 'zod';
import { DeliveryView, ListDeliveries } from '../../../domain/contracts/webhooks.ts';
import { getWebhook, listDeliveries } from '../../../domain/webhooks/index.ts';
import { operation } from '../../operation.ts';
import { WebhookId } from './get-webhook.ts';

export const listDeliveriesOperation = operation({
  name: 'list-deliveries',
  title: 'List the deliveries of a webhook',
  description: 'Lists what was sent to a webhook, newest first, by status, event, time or text.',
  area: 'Outbound webhooks',
  scopes: ['webhooks:read'],
  input: ListDeliveries.extend({ id: WebhookId }),
  output: z.array(DeliveryView),
  paginated: true,
  effects: 'read',
  route: { method: 'get', path: '/api/v1/work-items/webhooks/{id}/deliveries', auth: ['jwt'], params: ['id'] },
  errors: ['NOT_FOUND'],
  run: async ({ tx, caller }, { id, ...filter }) => {
    await getWebhook(tx, caller, id);
    const { deliveries, pagination } = await listDeliveries(tx, id, filter);
    return { data: deliveries, pagination };
  },
});
