export {
  createInboundWebhook,
  deleteInboundWebhook,
  getInboundWebhook,
  issuesOfInboundWebhook,
  listInboundWebhooks,
  rotateInboundKey,
  updateInboundWebhook,
} from './inbound-webhooks.service.ts';
export type { ExtractedFile } from './effect.ts';
export { failReceipt, fileOf, processReceipt } from './process.service.ts';
export { keepRefused, receive } from './receive.service.ts';
export type { InboundCall } from './receive.service.ts';
export { getReceipt, listReceipts, reprocessReceipt } from './receipts.service.ts';
export { checkKey, checkSignature, findReceiver } from './receiver.ts';
export type { Receiver } from './receiver.ts';
export { listVehicleLocations, listVehicleTrack } from './vehicle-locations.service.ts';
