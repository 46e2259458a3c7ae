export { addressIssue } from './address.ts';
export { createWebhook, getWebhook, listWebhooks } from './webhooks.service.ts';
export type { WebhookDeps } from './webhooks.service.ts';
export { deleteWebhook, updateWebhook } from './change-webhook.service.ts';
export { testWebhook } from './test-webhook.service.ts';
export { availableEvents } from './webhook.rules.ts';
export { listDeliveries } from './delivery-log.service.ts';
export { getDelivery } from './delivery-log-entry.service.ts';
export { listDeadLetters } from './dlq.service.ts';
export { replayCallback, replayCallbacks, replayDeadLetters, retryDelivery } from './replay.service.ts';
export { recoverWebhook } from './recover.service.ts';
export { getRecovery } from './recovery-requests.service.ts';
export { runRecoveryBatch } from './recover-batches.service.ts';
export type { RecoveryProgress } from './recover-batches.service.ts';
export {
  expireDeadLetters,
  purgeDeliveries,
  purgeEvents,
  purgeRecoveries,
  purgeRevisions,
} from './retention.service.ts';
export { queueCallback } from './callbacks.service.ts';
export { cancelErased } from './erase.service.ts';
export type { CallbackRequest } from './callbacks.service.ts';
export { endpointOfCallback, endpointsOfClient, WEBHOOK_SECRET_CONTEXT } from './endpoint.ts';
export type { Endpoint, WebhookEndpoint } from './endpoint.ts';
export { decide } from './delivery.rules.ts';
export type { Decision, SendOutcome } from './delivery.rules.ts';
export { matches } from './subscription.ts';
export { dataSchemaOf, descriptionOf, samplePayload } from './event-samples.ts';
export { listEventTypes } from './event-types.ts';
export { getEvent, listEvents } from './event-log.service.ts';
export { previewTemplate } from './template-preview.service.ts';
export { sendDelivery, failedWithoutAnswer } from './send.ts';
export type { OutgoingDelivery } from './request.ts';
export {
  claimDeliveries,
  freeLanes,
  insertDeliveries,
  isOrdered,
  isOrderedLane,
  laneOf,
  LEASE_MS,
  releaseLeases,
  renewLeases,
  webhookIdOfLane,
} from './queue.service.ts';
export type { ClaimedDelivery, InsertedDelivery, NewDelivery } from './queue.service.ts';
export { claimAdmitted, takeToken } from './queue-admission.service.ts';
export { followUp } from './webhook-health.service.ts';
export type { HealthRow } from './webhook-health.service.ts';
export { recordFirstFailures, recordFirstSuccesses } from './first-sends.service.ts';
export type { FirstSendFailure, FirstSendSuccess } from './first-sends.service.ts';
export { adoptStranded } from './stranded.service.ts';
export { deadLetter, loadRetry, recordRetry } from './retries.service.ts';
export type { RetryKey, Superseded } from './retries.service.ts';
export { applyToWebhook } from './webhook-state.service.ts';
export { VERIFICATION_EVENT } from './verification.rules.ts';
export { deadLettered, keyRotated, webhookDisabled, webhookRecovered } from './webhook-mails.ts';
export { deactivateExpiredKeys, endKeysBefore, publicKeys } from './keys.service.ts';
export { rotateKey } from './rotate-key.service.ts';
export { createSigningSecret, SECRET_PREFIX } from './signing.ts';
export { webhookGauges } from './webhook-metrics.ts';
