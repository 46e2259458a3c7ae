import { createWebhookOperation } from './create-webhook.ts';
import { deleteWebhookOperation } from './delete-webhook.ts';
import { getWebhookOperation } from './get-webhook.ts';
import { listWebhooksOperation } from './list-webhooks.ts';
import { testWebhookOperation } from './test-webhook.ts';
import { updateWebhookOperation } from './update-webhook.ts';
import { listPublicKeysOperation } from './list-public-keys.ts';
import { rotateKeyOperation } from './rotate-key.ts';
import { templatePreviewOperation } from './template-preview.ts';
import type { Operation } from '../../operation.ts';

export const webhookOperations: readonly Operation[] = [
  listWebhooksOperation,
  createWebhookOperation,
  getWebhookOperation,
  updateWebhookOperation,
  deleteWebhookOperation,
  testWebhookOperation,
  rotateKeyOperation,
  listPublicKeysOperation,
  templatePreviewOperation,
];
