import { z } from 'zod';
import { bigIdField } from '../../../domain/contracts/common.ts';
import { DeliveryDetail } from '../../../domain/contracts/deliveries.ts';
import { getDelivery, getWebhook } from '../../../domain/webhooks/index.ts';
import { operation } from '../../operation.ts';
import { WebhookId } from '../webhooks/get-webhook.ts';

export const DeliveryId = bigIdField('Id of the delivery').meta({ example: 1 });

export const getDeliveryOperation = operation({
  name: 'get-delivery',
  title: 'Get a delivery',
  description:
    'Returns one delivery with its last request as it was sent, and each attempt of every round with its answer.',
  area: 'Outbound webhooks',
  scopes: ['webhooks:read'],
  input: z.strictObject({ id: WebhookId, delivery_id: DeliveryId }),
  output: DeliveryDetail,
  effects: 'read',
  route: {
    method: 'get',
    path: '/api/v1/work-items/webhooks/{id}/deliveries/{delivery_id}',
    auth: ['jwt'],
    params: ['id', 'delivery_id'],
  },
  errors: ['NOT_FOUND'],
  run: async ({ tx, caller, services }, input) => {
    await getWebhook(tx, caller, input.id);
    return { data: await getDelivery(tx, services.vault, input.id, input.delivery_id) };
  },
});
