import { z } from 'zod';
import { bigIdField, dateOrMomentField, Moment, textField, windowFields } from './common.ts';

export const INBOUND_TYPES = [
  'fleet_webview',
  'vehicle_location',
  'payment_notification',
  'data_sync',
  'notification',
  'whatsapp_message',
  'supplier_invoice',
  'custom',
] as const;
export type InboundType = (typeof INBOUND_TYPES)[number];

export const INBOUND_AUTH_METHODS = ['api_key', 'hmac', 'none'] as const;
export type InboundAuthMethod = (typeof INBOUND_AUTH_METHODS)[number];

export const RECEIPT_STATUSES = ['received', 'processed', 'failed'] as const;
export type ReceiptStatus = (typeof RECEIPT_STATUSES)[number];

/** Most inbound webhooks of one client. */
export const MAX_INBOUND_WEBHOOKS = 100;

/** Most calls to one inbound webhook: per minute, and in any one second. */
export const INBOUND_RATE = { perWindow: 600, burst: 100 } as const;

/** How long a received call is kept, and a repetition of it known. */
export const RECEIPT_KEPT_DAYS = 90;

/** Largest body of a call. */
export const MAX_INBOUND_BODY_BYTES = 1_048_576;

/** What an event carries of a body; a larger one is fetched with the receipt. */
export const MAX_EVENT_BODY_BYTES = 65_536;

/** Furthest that the `webhook-timestamp` of a Standard Webhooks signature may lie from now, either way. */
export const SIGNATURE_TOLERANCE_MS = 5 * 60_000;

const name = textField(200, 'Name of the inbound webhook').meta({ example: 'Bank payments' });
const description = z.string().max(1_000).nullable();

export const CreateInboundWebhook = z.strictObject({
  name,
  webhook_type: z
    .enum(INBOUND_TYPES)
    .describe('What the sender sends, and so what is done with it; GET …/types has the JSON Schema of each')
    .meta({ example: 'payment_notification' }),
  auth_method: z
    .enum(INBOUND_AUTH_METHODS)
    .default('api_key')
    .describe(
      'How a call proves where it comes from. api_key: header X-API-Key. hmac: X-Service-Signature, or the headers of Standard Webhooks. none: whoever knows the address may call',
    ),
  description: description.default(null).describe('What the webhook is for'),
  is_active: z.boolean().default(true).describe('Whether calls are taken; an inactive one answers 404'),
});
export type CreateInboundWebhookInput = z.output<typeof CreateInboundWebhook>;

export const InboundWebhookId = z
  .uuid()
  .describe('UUID of the inbound webhook')
  .meta({ example: '0198c5d1-6f0e-7d5a-9a43-2f0d8c6b1e77' });

export const UpdateInboundWebhook = z.strictObject({
  name: name.optional(),
  description: description.optional().describe('What the webhook is for; null clears it'),
  is_active: z.boolean().optional().describe('Whether calls are taken; an inactive one answers 404'),
});
export type UpdateInboundWebhookInput = z.output<typeof UpdateInboundWebhook>;

export const RotateInboundKey = z.strictObject({
  grace_period_hours: z
    .int()
    .min(0)
    .max(720)
    .default(72)
    .describe('How long the old key or secret still works beside the new one; 0 ends it at once'),
});

/** An inbound webhook as every read and event shows it (spec, "Inbound webhook"). */
export const InboundWebhookView = z
  .object({
    id: z.uuid(),
    name: z.string().meta({ example: 'Bank payments' }),
    description: z.string().nullable(),
    webhook_type: z.enum(INBOUND_TYPES).meta({ example: 'payment_notification' }),
    auth_method: z.enum(INBOUND_AUTH_METHODS).meta({ example: 'hmac' }),
    is_active: z.boolean(),
    receive_count: z.int().describe('Calls received, those whose body did not fit included'),
    last_received_at: Moment.nullable(),
    receive_path: z
      .string()
      .describe('Where the sender posts to, on the address of this API')
      .meta({ example: '/api/v1/webhooks/inbound/0198c5d1-6f0e-7d5a-9a43-2f0d8c6b1e77' }),
    previous_key_expires_at: Moment.nullable().describe('Until when the key before the last rotation still works'),
    created_by: z.int().describe('User who created it'),
    created_at: Moment,
    updated_at: Moment,
  })
  .meta({ id: 'InboundWebhook' });
export type InboundWebhookData = z.output<typeof InboundWebhookView>;

/** A received call, as lists show it. */
export const ReceiptSummary = z
  .object({
    id: z.uuid(),
    inbound_webhook_id: z.uuid(),
    webhook_type: z.enum(INBOUND_TYPES).meta({ example: 'payment_notification' }),
    status: z
      .enum(RECEIPT_STATUSES)
      .describe('received: to be processed. processed: done. failed: see error_message')
      .meta({ example: 'processed' }),
    error_message: z.string().nullable().describe('Why it failed'),
    result: z
      .record(z.string(), z.unknown())
      .nullable()
      .describe('What processing led to, by type')
      .meta({ example: { payment_id: 88, document_id: 512, document_status: 'paid' } }),
    idempotency_key: z.string().nullable().describe('The Idempotency-Key of the call'),
    message_id: z.string().nullable().describe('The webhook-id of the call'),
    body_bytes: z.int(),
    processing_round: z.int().describe('1; one more for each time that it was processed again'),
    received_at: Moment,
    processed_at: Moment.nullable(),
  })
  .meta({ id: 'InboundReceiptSummary' });
export type ReceiptSummaryData = z.output<typeof ReceiptSummary>;

/** A received call with what it said, as events carry it. */
export const ReceiptView = ReceiptSummary.extend({
  body: z
    .unknown()
    .describe('The body, parsed; null in an event where it is larger than 64 KiB, and where it was no JSON')
    .meta({ example: { transaction_id: 'FNB-77', amount: 1150, document_number: 'INV-000001' } }),
}).meta({ id: 'InboundReceipt' });
export type ReceiptData = z.output<typeof ReceiptView>;

/** All that is kept of a call. */
export const ReceiptDetail = ReceiptView.extend({
  headers: z
    .record(z.string(), z.string())
    .describe('The headers as they came, in lower case; secrets are replaced by ***')
    .meta({ example: { 'content-type': 'application/json', 'x-api-key': '***' } }),
  raw_body: z.string().describe('The body as it came; bytes that are not UTF-8 are replaced'),
  source_address: z.string().nullable().describe('The address that the call came from'),
}).meta({ id: 'InboundReceiptDetail' });
export type ReceiptDetailData = z.output<typeof ReceiptDetail>;

export const ReceiptId = z.uuid().describe('UUID of the receipt');

export const ListReceipts = z.strictObject({
  status: z.enum(RECEIPT_STATUSES).optional().describe('Only receipts with this status'),
  from: dateOrMomentField('Only calls received at or after this').optional(),
  to: dateOrMomentField('Only calls received before this').optional(),
  ...windowFields(),
});
export type ListReceiptsInput = z.output<typeof ListReceipts>;

/** What a sender is answered. */
export const InboundAnswer = z.object({
  id: z.uuid().describe('UUID of the receipt; of the first one where the call was repeated'),
  status: z.literal('received'),
  message: z.string().meta({ example: 'Received. It is processed now.' }),
});

export const InboundTypeView = z
  .object({
    type: z.enum(INBOUND_TYPES),
    description: z.string(),
    schema: z.record(z.string(), z.unknown()).describe('JSON Schema (2020-12) of the body'),
    sample: z.record(z.string(), z.unknown()).describe('A body that fits'),
  })
  .meta({ id: 'InboundWebhookType' });
export type InboundTypeData = z.output<typeof InboundTypeView>;

export const ListVehicleLocations = z.strictObject({ ...windowFields(100, 500) });

export const VehicleId = textField(100, 'Your id of the vehicle, as its locations name it').meta({
  example: 'TRUCK-7',
});

export const ListVehicleTrack = z.strictObject({
  vehicle_id: VehicleId,
  from: dateOrMomentField('Only locations recorded at or after this').optional(),
  to: dateOrMomentField('Only locations recorded before this').optional(),
  ...windowFields(100, 500),
});
export type ListVehicleTrackInput = z.output<typeof ListVehicleTrack>;

export const VehicleLocationView = z
  .object({
    id: bigIdField('Integer id'),
    vehicle_id: z.string().meta({ example: 'TRUCK-7' }),
    registration: z.string().nullable().meta({ example: 'HX 43 KL GP' }),
    driver_name: z.string().nullable(),
    latitude: z.number().meta({ example: -26.2041 }),
    longitude: z.number().meta({ example: 28.0473 }),
    speed_kmh: z.number().nullable(),
    heading: z.number().nullable().describe('Degrees from north, clockwise'),
    odometer_km: z.number().nullable(),
    ignition: z.boolean().nullable(),
    recorded_at: Moment.describe('When the vehicle was there (ISO 8601, UTC)'),
    received_at: Moment,
  })
  .meta({ id: 'VehicleLocation' });
export type VehicleLocationData = z.output<typeof VehicleLocationView>;
