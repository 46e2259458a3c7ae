import assert from 'node:assert/strict';
import { CreateFinanceDocument } from '../../domain/contracts/finance.ts';
import type { FinanceDocumentData } from '../../domain/contracts/finance.ts';
import { CreateInboundWebhook } from '../../domain/contracts/inbound-webhooks.ts';
import type { InboundWebhookData, ReceiptDetailData } from '../../domain/contracts/inbound-webhooks.ts';
import { createFinanceDocument, issueFinanceDocument } from '../../domain/finance/index.ts';
import {
  createInboundWebhook,
  findReceiver,
  getReceipt,
  receive,
  reprocessReceipt,
} from '../../domain/inbound-webhooks/index.ts';
import { within } from '../support/within.ts';
import type { Tenant } from './tenant.ts';

/** Makes an inbound webhook of a type for the tenant. */
export async function makeInbound(tenant: Tenant, webhook_type: string): Promise<InboundWebhookData> {
  const input = CreateInboundWebhook.parse({ name: 'Inbound', webhook_type, auth_method: 'none' });
  const { webhook } = await tenant.tenants.transaction(tenant.clientId, (tx) =>
    createInboundWebhook(tx, tenant.caller, input, tenant.vault),
  );
  return webhook;
}

/** Takes a call as the API does once it is authenticated; answers the receipt's id. */
export async function call(tenant: Tenant, webhook: InboundWebhookData, parsed: object): Promise<string> {
  const receiver = await findReceiver(tenant.system, webhook.id, Date.now());
  const body = Buffer.from(JSON.stringify(parsed));
  const { id } = await tenant.tenants.transaction(tenant.clientId, (tx) =>
    receive(tx, receiver, { headers: {}, body, sourceAddress: null, parsed }),
  );
  return id;
}

export function receiptOf(tenant: Tenant, webhook: InboundWebhookData, id: string): Promise<ReceiptDetailData> {
  return getReceipt(tenant.tenants.reader(tenant.clientId), webhook.id, id);
}

/** The receipt once it is no longer waiting. */
export function ended(
  tenant: Tenant,
  webhook: InboundWebhookData,
  id: string,
  timeoutMs = 20_000,
): Promise<ReceiptDetailData> {
  return within(timeoutMs, async () => {
    const receipt = await receiptOf(tenant, webhook, id);
    assert.notEqual(receipt.status, 'received');
    return receipt;
  });
}

/** Takes a call and waits until it is processed or failed. */
export async function processed(tenant: Tenant, webhook: InboundWebhookData, body: object): Promise<ReceiptDetailData> {
  return ended(tenant, webhook, await call(tenant, webhook, body));
}

export async function reprocess(tenant: Tenant, webhook: InboundWebhookData, id: string): Promise<void> {
  await tenant.tenants.transaction(tenant.clientId, (tx) => reprocessReceipt(tx, tenant.caller, webhook.id, id));
}

/** A draft invoice over 1,150.00, tax included. */
export function draftInvoice(tenant: Tenant): Promise<FinanceDocumentData> {
  const input = CreateFinanceDocument.parse({
    document_type: 'invoice',
    contact_name: 'Kruger Farms',
    lines: [{ description: 'Service', quantity: 1, unit_price: 1_000, tax_rate: 15 }],
  });
  return tenant.tenants.transaction(tenant.clientId, (tx) =>
    createFinanceDocument(tx, tenant.caller, { input, now: Date.now() }),
  );
}

export function issue(tenant: Tenant, { id }: FinanceDocumentData): Promise<FinanceDocumentData> {
  return tenant.tenants.transaction(tenant.clientId, (tx) =>
    issueFinanceDocument(tx, tenant.caller, { ref: { document_type: 'invoice', document_id: id }, now: Date.now() }),
  );
}
