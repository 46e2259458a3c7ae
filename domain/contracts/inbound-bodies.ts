import { z } from 'zod';
import { dateOrMomentField, dayField, emailField, idField, textField } from './common.ts';
import { CONTACT_TYPES, CreateContact } from './contacts.ts';
import { CreateFinanceDocument, PAYABLE_TYPES } from './finance.ts';
import type { InboundType } from './inbound-webhooks.ts';
import { PAYMENT_METHODS } from './payments.ts';

/** Most locations, or contacts, of one call. */
const MAX_LOCATIONS = 1_000;
const MAX_CONTACTS = 500;

// Senders add fields of their own, so what isn't known is let through and left alone.
const currency = CreateFinanceDocument.shape.currency;

const Location = z
  .object({
    vehicle_id: textField(100, 'Your id of the vehicle').meta({ example: 'TRUCK-7' }),
    registration: textField(40, 'Number plate').optional(),
    driver_name: textField(200, 'Who drives').optional(),
    latitude: z.number().min(-90).max(90).describe('Degrees, north is positive').meta({ example: -26.2041 }),
    longitude: z.number().min(-180).max(180).describe('Degrees, east is positive').meta({ example: 28.0473 }),
    speed_kmh: z.number().min(0).max(1_000).optional().describe('Speed').meta({ example: 62 }),
    heading: z.number().min(0).max(360).optional().describe('Degrees from north, clockwise'),
    odometer_km: z.number().min(0).max(100_000_000).optional().describe('Distance driven in all'),
    ignition: z.boolean().optional().describe('Whether the engine is on'),
    recorded_at: dateOrMomentField('When the vehicle was there; the moment of the call by default').optional(),
  })
  .meta({ id: 'VehicleLocationBody' });
export type LocationBody = z.output<typeof Location>;

const FleetWebview = z
  .object({
    vehicles: z.array(Location).min(1).max(MAX_LOCATIONS).describe('Where the vehicles are, each one a location'),
  })
  .meta({ id: 'FleetWebviewBody' });
export type FleetBody = z.output<typeof FleetWebview>;

const PaymentNotification = z
  .object({
    transaction_id: textField(
      150,
      'Id of the payment at the bank or payment provider: told twice, it is recorded once',
    ).meta({ example: 'FNB-20261121-77' }),
    status: z
      .enum(['completed', 'failed'])
      .default('completed')
      .describe('failed keeps a payment that did not come through; it settles nothing'),
    amount: z.number().positive().max(1_000_000_000_000).describe('In major units').meta({ example: 1150.5 }),
    currency: currency.describe("ISO 4217 code; must be the document's where it is given"),
    document_type: z.enum(PAYABLE_TYPES).default('invoice').describe('Kind of document that is paid'),
    document_id: CreateFinanceDocument.shape.invoice_id
      .describe('Integer id of the document. Give this or document_number')
      .meta({ example: 512 }),
    document_number: textField(60, 'Number of the document, as printed on it')
      .optional()
      .meta({ example: 'INV-000001' }),
    payment_date: dayField('Day of the payment; today by default').optional(),
    payment_method: z.enum(PAYMENT_METHODS).default('other').describe('How it was paid'),
    failure_reason: textField(500, 'Why it failed; only with status failed').optional(),
    payer_name: textField(200, 'Who paid; kept in the notes of the payment').optional(),
  })
  .refine((body) => (body.document_id === undefined) !== (body.document_number === undefined), {
    path: ['document_number'],
    error: 'give either document_id or document_number',
  })
  .refine((body) => body.failure_reason === undefined || body.status === 'failed', {
    path: ['failure_reason'],
    error: 'only a failed payment has one',
  })
  .describe('A payment for one document: names it by document_id or document_number')
  .meta({ id: 'PaymentNotificationBody' });
export type PaymentBody = z.output<typeof PaymentNotification>;

const SyncedContact = z
  .object({
    external_id: textField(200, 'Id of the contact in the system that sends it: what it is found by next time')
      .optional()
      .meta({ example: 'CRM-1009' }),
    ...CreateContact.omit({ contact_type: true, is_active: true }).shape,
    contact_type: z.enum(CONTACT_TYPES).optional().describe('Whether they buy from you, sell to you, or both'),
    is_active: z.boolean().optional().describe('false: kept for the record, no longer in use'),
  })
  .refine((contact) => contact.external_id !== undefined || typeof contact.email === 'string', {
    path: ['external_id'],
    error: 'give external_id or email: a contact is found by one of them',
  })
  .meta({ id: 'SyncedContact' });
export type SyncedContactBody = z.output<typeof SyncedContact>;

const DataSync = z
  .object({
    contacts: z
      .array(SyncedContact)
      .min(1)
      .max(MAX_CONTACTS)
      .describe('Each is updated where its external_id or else its email is known, and created where not'),
  })
  .meta({ id: 'DataSyncBody' });
export type DataSyncBody = z.output<typeof DataSync>;

const Notification = z
  .object({
    subject: textField(200, 'What it is about; the name of the webhook by default').optional(),
    message: textField(10_000, 'The message').meta({ example: 'The cold room is above 8 °C.' }),
    user_ids: z
      .array(idField('User id'))
      .min(1)
      .max(100)
      .optional()
      .describe('Users to tell; the user who created the webhook by default')
      .meta({ example: [3] }),
  })
  .meta({ id: 'NotificationBody' });
export type NotificationBody = z.output<typeof Notification>;

const WhatsAppMessage = z
  .object({
    from: textField(40, 'Phone number of the sender, with country code').meta({ example: '+27825550101' }),
    from_name: textField(150, 'Name of the sender').optional().meta({ example: 'Thandi Mokoena' }),
    message_id: textField(200, 'WhatsApp’s id of the message: told twice, it is written once').optional(),
    text: textField(9_000, 'The message').meta({ example: 'When will the technician be here?' }),
    media_urls: z.array(z.url().max(2_000)).max(10).optional().describe('Addresses of pictures and files'),
    user_ids: z
      .array(idField('User id'))
      .min(1)
      .max(100)
      .optional()
      .describe('Users who read it; the user who created the webhook by default'),
  })
  .meta({ id: 'WhatsAppMessageBody' });
export type WhatsAppBody = z.output<typeof WhatsAppMessage>;

const SupplierInvoice = z
  .object({
    supplier_name: textField(200, 'Who sends the invoice').optional().meta({ example: 'Pump Parts (Pty) Ltd' }),
    supplier_tax_number: textField(60, 'Tax number of the supplier; finds its contact').optional(),
    supplier_email: emailField('E-mail of the supplier; finds its contact').optional(),
    invoice_number: textField(200, 'Number of the invoice: told twice by a supplier, it becomes one bill')
      .optional()
      .meta({ example: 'PP-2041' }),
    invoice_date: dayField('Date of the invoice; today by default').optional(),
    due_date: dayField('When it is to be paid').optional(),
    currency,
    lines: CreateFinanceDocument.shape.lines.optional().describe('Its lines. Give these or file_base64'),
    file_base64: z
      .base64()
      .min(1)
      .max(1_000_000)
      .optional()
      .describe('The invoice as PDF, PNG, JPG, WebP or TIFF: Document AI reads what the other fields leave out'),
    notes: textField(5_000, 'Kept in the notes of the bill').optional(),
  })
  .refine((body) => body.file_base64 !== undefined || body.lines !== undefined, {
    path: ['lines'],
    error: 'give lines or file_base64',
  })
  .refine((body) => body.file_base64 !== undefined || body.supplier_name !== undefined, {
    path: ['supplier_name'],
    error: 'is required without file_base64',
  })
  .describe('An invoice: its supplier_name and lines, or a file_base64 to read them from')
  .meta({ id: 'SupplierInvoiceBody' });
export type SupplierInvoiceBody = z.output<typeof SupplierInvoice>;

const Custom = z
  .looseObject({})
  .describe('Any JSON object')
  .meta({ id: 'CustomInboundBody', example: { kind: 'alarm', site: 'north', level: 3 } });

interface TypeDefinition {
  description: string;
  schema: z.ZodObject;
  sample: Record<string, unknown>;
}

const WHERE = { vehicle_id: 'TRUCK-7', latitude: -26.2041, longitude: 28.0473 };

/** What each type takes, and what is done with it. */
export const INBOUND_BODIES = {
  fleet_webview: {
    description: 'Locations of many vehicles at once. Each becomes a row of GET /api/v1/vehicle-locations.',
    schema: FleetWebview,
    sample: { vehicles: [{ ...WHERE, speed_kmh: 62, recorded_at: '2026-11-21T08:30:00Z' }] },
  },
  vehicle_location: {
    description: 'Where one vehicle is. Becomes a row of GET /api/v1/vehicle-locations.',
    schema: Location,
    sample: { ...WHERE, speed_kmh: 62, recorded_at: '2026-11-21T08:30:00Z' },
  },
  payment_notification: {
    description:
      'A payment came in, or failed. It is recorded for its quote, invoice or bill, which is paid once nothing is due any more (event invoice.paid).',
    schema: PaymentNotification,
    sample: { transaction_id: 'FNB-20261121-77', amount: 1150.5, currency: 'ZAR', document_number: 'INV-000001' },
  },
  data_sync: {
    description: 'Contacts of another system. Each is updated where it is known, and created where not; all or none.',
    schema: DataSync,
    sample: { contacts: [{ external_id: 'CRM-1009', name: 'Kruger Farms', email: 'office@kruger.example' }] },
  },
  notification: {
    description: 'A message to users, in a new thread of theirs.',
    schema: Notification,
    sample: { subject: 'Cold room', message: 'The cold room is above 8 °C.' },
  },
  whatsapp_message: {
    description: 'A WhatsApp message. Messages of one sender are written into one thread.',
    schema: WhatsAppMessage,
    sample: { from: '+27825550101', from_name: 'Thandi Mokoena', text: 'When will the technician be here?' },
  },
  supplier_invoice: {
    description:
      'An invoice of a supplier. Becomes a draft bill; a file is read by Document AI, at one credit per page. Needs the finance tier full.',
    schema: SupplierInvoice,
    sample: {
      supplier_name: 'Pump Parts (Pty) Ltd',
      invoice_number: 'PP-2041',
      lines: [{ description: 'Seal kit', quantity: 2, unit_price: 450, tax_rate: 15 }],
    },
  },
  custom: {
    description:
      'Any JSON object. Nothing is done with it but the event inbound_webhook.received, for your webhooks and workflow templates.',
    schema: Custom,
    sample: { kind: 'alarm', site: 'north', level: 3 },
  },
} as const satisfies Record<InboundType, TypeDefinition>;
