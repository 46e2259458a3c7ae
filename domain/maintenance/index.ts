export { PURGEABLE_KINDS, purgeBatch } from './purge.service.ts';
export type { PurgeableKind } from './purge.service.ts';
export { PURGEABLE_STRETCHES, purgeStretch } from './purge-webhooks.service.ts';
export type { StretchKind } from './purge-webhooks.service.ts';
export { DLQ_RETENTION_DAYS, maintainWebhooks } from './webhook-maintenance.service.ts';
export type { WebhookMaintenance } from './webhook-maintenance.service.ts';
