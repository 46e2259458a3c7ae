import { createApiKeyOperation } from './operations/api-keys/create-api-key.ts';
import { deleteApiKeyOperation } from './operations/api-keys/delete-api-key.ts';
import { getApiKeyOperation } from './operations/api-keys/get-api-key.ts';
import { getRateLimitTierOperation } from './operations/api-keys/get-rate-limit-tier.ts';
import { listApiKeyAuditOperation } from './operations/api-keys/list-api-key-audit.ts';
import { listApiKeysOperation } from './operations/api-keys/list-api-keys.ts';
import { revealApiKeyOperation } from './operations/api-keys/reveal-api-key.ts';
import { rotateApiKeyOperation } from './operations/api-keys/rotate-api-key.ts';
import { updateApiKeyOperation } from './operations/api-keys/update-api-key.ts';
import { changePasswordOperation } from './operations/auth/change-password.ts';
import { loginOperation } from './operations/auth/login.ts';
import { logoutOperation } from './operations/auth/logout.ts';
import { meOperation } from './operations/auth/me.ts';
import { refreshOperation } from './operations/auth/refresh.ts';
import { createOAuthApplicationOperation } from './operations/oauth-applications/create-oauth-application.ts';
import { deleteOAuthApplicationOperation } from './operations/oauth-applications/delete-oauth-application.ts';
import { getOAuthApplicationOperation } from './operations/oauth-applications/get-oauth-application.ts';
import { listOAuthApplicationsOperation } from './operations/oauth-applications/list-oauth-applications.ts';
import { rotateOAuthSecretOperation } from './operations/oauth-applications/rotate-oauth-secret.ts';
import { updateOAuthApplicationOperation } from './operations/oauth-applications/update-oauth-application.ts';
import { extractOperation } from './operations/vision/extract.ts';
import { getResultOperation } from './operations/vision/get-result.ts';
import { createWebhookOperation } from './operations/webhooks/create-webhook.ts';
import { getDeliveryOperation } from './operations/webhooks/get-delivery.ts';
import { getWebhookOperation } from './operations/webhooks/get-webhook.ts';
import { listDeliveriesOperation } from './operations/webhooks/list-deliveries.ts';
import { listWebhooksOperation } from './operations/webhooks/list-webhooks.ts';
import { createWorkItemOperation } from './operations/work-items/create-work-item.ts';
import { getWorkItemOperation } from './operations/work-items/get-work-item.ts';
import { getWorkItemsOperation } from './operations/work-items/get-work-items.ts';
import { listWorkItemsOperation } from './operations/work-items/list-work-items.ts';
import { isSunset } from './deprecation.ts';
import type { DetachedOperation, Operation, TenantOperation } from './operation.ts';

/** Every operation, in the order in which the faces list them. A new operation is one file and one line here. */
export const operations: readonly Operation[] = [
  loginOperation,
  refreshOperation,
  logoutOperation,
  meOperation,
  changePasswordOperation,
  listOAuthApplicationsOperation,
  createOAuthApplicationOperation,
  getOAuthApplicationOperation,
  updateOAuthApplicationOperation,
  deleteOAuthApplicationOperation,
  rotateOAuthSecretOperation,
  listApiKeysOperation,
  createApiKeyOperation,
  getApiKeyOperation,
  updateApiKeyOperation,
  deleteApiKeyOperation,
  revealApiKeyOperation,
  rotateApiKeyOperation,
  listApiKeyAuditOperation,
  getRateLimitTierOperation,
  createWorkItemOperation,
  getWorkItemOperation,
  listWorkItemsOperation,
  getWorkItemsOperation,
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

/** The actions that the catalogues list: all but those past their sunset, which answer 410. */
export function offeredActions(now: number): Action[] {
  return [...actions.values()].filter((action) => !isSunset(action, now));
}
