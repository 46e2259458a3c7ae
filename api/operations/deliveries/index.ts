import { getDeliveryOperation } from './get-delivery.ts';
import { getWebhookRecoveryOperation } from './get-webhook-recovery.ts';
import { listDeadLettersOperation } from './list-dead-letters.ts';
import { listDeliveriesOperation } from './list-deliveries.ts';
import { recoverWebhookOperation } from './recover-webhook.ts';
import { replayDeadLettersOperation } from './replay-dead-letters.ts';
import { retryDeliveryOperation } from './retry-delivery.ts';
import type { Operation } from '../../operation.ts';

export const deliveryOperations: readonly Operation[] = [
  listDeliveriesOperation,
  getDeliveryOperation,
  retryDeliveryOperation,
  listDeadLettersOperation,
  replayDeadLettersOperation,
  recoverWebhookOperation,
  getWebhookRecoveryOperation,
];
