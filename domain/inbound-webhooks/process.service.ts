import { ApiError } from '../contracts/errors.ts';
import { INBOUND_BODIES } from '../contracts/inbound-bodies.ts';
import type {
  DataSyncBody,
  FleetBody,
  LocationBody,
  NotificationBody,
  PaymentBody,
  SupplierInvoiceBody,
  WhatsAppBody,
} from '../contracts/inbound-bodies.ts';
import type { InboundType } from '../contracts/inbound-webhooks.ts';
import { issueWords } from '../contracts/issue-words.ts';
import { systemCaller } from '../tenancy/index.ts';
import { statement } from '../../platform/db/statement.ts';
import type { TenantTransaction } from '../../platform/db/transaction.ts';
import { contactsEffect } from './contacts.effect.ts';
import type { Effect, EffectContext, ExtractedFile } from './effect.ts';
import { locationsEffect } from './locations.effect.ts';
import { notificationEffect, whatsAppEffect } from './messages.effect.ts';
import { paymentEffect } from './payment.effect.ts';
import { supplierInvoiceEffect } from './supplier-invoice.effect.ts';

// Locked: a repeated activity waits for the first, and then finds it done.
const LOCK = statement(`
  select r.receipt_id, r.webhook_id, r.webhook_type, r.status, r.body, r.received_at, w.name, w.created_by
  from inbound_receipts r join inbound_webhooks w on w.client_id = r.client_id and w.id = r.webhook_id
  where r.client_id = $1 and r.receipt_id = $2 for no key update of r`);
const LOCK_MATTER = statement(`select pg_advisory_xact_lock(hashtextextended($1, 1))`);
const DONE_BEFORE = statement(`
  select receipt_id, result from inbound_receipts
  where client_id = $1 and webhook_id = $2 and effect_key = $3 and status = 'processed' order by id limit 1`);
const PROCESSED = statement(`
  update inbound_receipts
  set status = 'processed', error_message = null, result = $3, effect_key = $4, processed_at = now()
  where client_id = $1 and receipt_id = $2`);
const FAILED = statement(`
  update inbound_receipts set status = 'failed', error_message = $3, processed_at = now()
  where client_id = $1 and receipt_id = $2 and status = 'received'`);

interface LockedReceipt extends Record<string, unknown> {
  receipt_id: string;
  webhook_id: string;
  webhook_type: InboundType;
  status: string;
  body: Buffer;
  received_at: Date;
  name: string;
  created_by: number;
}

/**
 * Does what a call asks for and notes it, in one transaction: however often it is run, the effect is there once. What the
 * rules refuse is an {@link ApiError}, and nothing is done.
 */
export async function processReceipt(
  tx: TenantTransaction,
  receiptId: string,
  { now, extraction }: { now: number; extraction: ExtractedFile | null },
): Promise<void> {
  const row = await lockReceipt(tx, receiptId);
  if (row.status !== 'received') return;
  const caller = await systemCaller(tx, `inbound-webhook/${row.webhook_id}`);
  const receipt = { id: receiptId, webhookId: row.webhook_id, type: row.webhook_type, receivedAt: row.received_at };
  const webhook = { name: row.name, createdBy: row.created_by };
  const body = bodyOf(row);
  const { key, apply } = effectOf({ tx, caller, now, receipt, webhook, extraction }, body);
  const before = key === null ? undefined : await doneBefore(tx, row.webhook_id, key);
  const result = before ?? (await apply());
  const own = before === undefined ? key : null;
  tx.write(PROCESSED, [tx.clientId, receiptId, JSON.stringify(result), own]);
}

/** Notes why a call could not be processed. One that was processed meanwhile stays so. */
export function failReceipt(tx: TenantTransaction, receiptId: string, reason: string): void {
  tx.write(FAILED, [tx.clientId, receiptId, reason.slice(0, 2_000)]);
}

/** The supplier's file of a call that waits to be processed; undefined where it has none. */
export async function fileOf(tx: TenantTransaction, receiptId: string): Promise<string | undefined> {
  const row = await lockReceipt(tx, receiptId);
  if (row.status !== 'received' || row.webhook_type !== 'supplier_invoice') return undefined;
  return (bodyOf(row) as SupplierInvoiceBody).file_base64;
}

async function lockReceipt(tx: TenantTransaction, receiptId: string): Promise<LockedReceipt> {
  const [row] = await tx.query<LockedReceipt>(LOCK, [tx.clientId, receiptId]);
  if (row === undefined) throw ApiError.notFound('receipt', receiptId);
  return row;
}

/** The body again, by the schema of today: a type may ask for more than it did when the call came. */
function bodyOf({ webhook_type: type, body }: LockedReceipt): unknown {
  const parsed = INBOUND_BODIES[type].schema.safeParse(JSON.parse(body.toString('utf8').replace(/^\uFEFF/, '')), {
    error: issueWords,
  });
  if (parsed.success) return parsed.data;
  throw ApiError.ofFields(parsed.error.issues.map((issue) => ({ field: issue.path.join('.'), issue: issue.message })));
}

async function doneBefore(
  tx: TenantTransaction,
  webhookId: string,
  key: string,
): Promise<Record<string, unknown> | undefined> {
  // Two calls about one matter at the same moment: the second sees what the first has done.
  await tx.query(LOCK_MATTER, [`${webhookId}/${key}`]);
  const [first] = await tx.query<{ receipt_id: string; result: Record<string, unknown> | null }>(DONE_BEFORE, [
    tx.clientId,
    webhookId,
    key,
  ]);
  return first === undefined ? undefined : { ...first.result, repeats_receipt_id: first.receipt_id };
}

/** The body fits its type: that is what it was just held against. */
function effectOf(context: EffectContext, body: unknown): Effect {
  switch (context.receipt.type) {
    case 'payment_notification':
      return paymentEffect(context, body as PaymentBody);
    case 'supplier_invoice':
      return supplierInvoiceEffect(context, body as SupplierInvoiceBody);
    case 'vehicle_location':
      return locationsEffect(context, [body as LocationBody]);
    case 'fleet_webview':
      return locationsEffect(context, (body as FleetBody).vehicles);
    case 'data_sync':
      return contactsEffect(context, body as DataSyncBody);
    case 'notification':
      return notificationEffect(context, body as NotificationBody);
    case 'whatsapp_message':
      return whatsAppEffect(context, body as WhatsAppBody);
    case 'custom':
      // Its event was recorded with the receipt.
      return { key: null, apply: () => Promise.resolve({}) };
  }
}
