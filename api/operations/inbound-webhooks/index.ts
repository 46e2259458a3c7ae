import type { Operation } from '../../operation.ts';
import { createInboundWebhookOperation } from './create-inbound-webhook.ts';
import { deleteInboundWebhookOperation } from './delete-inbound-webhook.ts';
import { getInboundWebhookOperation } from './get-inbound-webhook.ts';
import { getReceiptOperation } from './get-receipt.ts';
import { listInboundWebhookTypesOperation } from './list-inbound-webhook-types.ts';
import { listInboundWebhooksOperation } from './list-inbound-webhooks.ts';
import { listReceiptsOperation } from './list-receipts.ts';
import { listVehicleLocationsOperation } from './list-vehicle-locations.ts';
import { listVehicleTrackOperation } from './list-vehicle-track.ts';
import { receiveInboundWebhookOperation } from './receive-inbound-webhook.ts';
import { reprocessReceiptOperation } from './reprocess-receipt.ts';
import { rotateInboundWebhookKeyOperation } from './rotate-inbound-webhook-key.ts';
import { updateInboundWebhookOperation } from './update-inbound-webhook.ts';

export const inboundWebhookOperations: readonly Operation[] = [
  listInboundWebhooksOperation,
  createInboundWebhookOperation,
  listInboundWebhookTypesOperation,
  getInboundWebhookOperation,
  updateInboundWebhookOperation,
  deleteInboundWebhookOperation,
  rotateInboundWebhookKeyOperation,
  listReceiptsOperation,
  getReceiptOperation,
  reprocessReceiptOperation,
  receiveInboundWebhookOperation,
  listVehicleLocationsOperation,
  listVehicleTrackOperation,
];
