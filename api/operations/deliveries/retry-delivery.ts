import { z } from 'zod';
import { DeliveryView } from '../../../domain/contracts/deliveries.ts';
import { getWebhook, retryDelivery } from '../../../domain/webhooks/index.ts';
import { detachedOperation } from '../../operation.ts';
import { wakeRetry } from '../../webhooks/wake-retry.ts';
import { WebhookId } from '../webhooks/get-webhook.ts';
import { DeliveryId } from './get-delivery.ts';

export const retryDeliveryOperation = detachedOperation({
  name: 'retry-delivery',
  title: 'Send a delivery again',
  description:
    'Sends one delivery again, with the same event id and Idempotency-Key. One that failed or succeeded begins a new round; one that is being retried makes its next attempt now. One that waits for its first send, or has expired, is refused, and so is any of an inactive webhook. For many at once see replay-dead-letters.',
  area: 'Outbound webhooks',
  scopes: ['webhooks:write'],
  input: z.strictObject({ id: WebhookId, delivery_id: DeliveryId }),
  output: DeliveryView,
  effects: 'write',
  route: {
    method: 'post',
    path: '/api/v1/work-items/webhooks/{id}/deliveries/{delivery_id}/retry',
    auth: ['jwt'],
    params: ['id', 'delivery_id'],
    status: 202,
  },
  errors: ['NOT_FOUND', 'CONFLICT', 'SERVICE_UNAVAILABLE'],
  run: async ({ caller, services }, { id, delivery_id }) => {
    const delivery = await services.tenants.transaction(caller.clientId, async (tx) =>
      retryDelivery(tx, caller, await getWebhook(tx, caller, id), delivery_id),
    );
    if (delivery.status === 'retrying') await wakeRetry(services, delivery);
    return { data: delivery };
  },
});
