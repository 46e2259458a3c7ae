import { createWebhookOperation } from './create-webhook.ts';
import { getDeliveryOperation } from './get-delivery.ts';
import { getWebhookOperation } from './get-webhook.ts';
import { listDeliveriesOperation } from './list-deliveries.ts';
import { listWebhooksOperation } from './list-webhooks.ts';
import type { Operation } from '../../operation.ts';

export const webhookOperations: readonly Operation[] = [
  listWebhooksOperation,
  createWebhookOperation,
  getWebhookOperation,
  listDeliveriesOperation,
  getDeliveryOperation,
];
