import { createApiKeyOperation } from './operations/api-keys/create-api-key.ts';
import { loginOperation } from './operations/auth/login.ts';
import { logoutOperation } from './operations/auth/logout.ts';
import { meOperation } from './operations/auth/me.ts';
import { refreshOperation } from './operations/auth/refresh.ts';
import { extractOperation } from './operations/vision/extract.ts';
import { getResultOperation } from './operations/vision/get-result.ts';
import { createWebhookOperation } from './operations/webhooks/create-webhook.ts';
import { getDeliveryOperation } from './operations/webhooks/get-delivery.ts';
import { getWebhookOperation } from './operations/webhooks/get-webhook.ts';
import { listDeliveriesOperation } from './operations/webhooks/list-deliveries.ts';
import { listWebhooksOperation } from './operations/webhooks/list-webhooks.ts';
import { createWorkItemOperation } from './operations/work-items/create-work-item.ts';
import { getWorkItemOperation } from './operations/work-items/get-work-item.ts';
import { listWorkItemsOperation } from './operations/work-items/list-work-items.ts';
import type { DetachedOperation, Operation, TenantOperation } from './operation.ts';

/** Every operation, in the order in which the faces list them. A new operation is one file and one line here. */
export const operations: readonly Operation[] = [
  loginOperation,
  refreshOperation,
  logoutOperation,
  meOperation,
  createApiKeyOperation,
  createWorkItemOperation,
  getWorkItemOperation,
  listWorkItemsOperation,
  listWebhooksOperation,
  createWebhookOperation,
  getWebhookOperation,
  listDeliveriesOperation,
  getDeliveryOperation,
  extractOperation,
  getResultOperation,
];

export type Action = TenantOperation | DetachedOperation;

/** The operations that the Public Data API, batch, the tool catalogue and MCP offer, by name. */
export const actions: ReadonlyMap<string, Action> = new Map(
  operations
    .filter((operation): operation is Action => operation.action === true && operation.unit !== 'open')
    .map((action) => [action.name, action]),
);
