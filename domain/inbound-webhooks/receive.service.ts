import { randomInt, randomUUID } from 'node:crypto';
import type { InboundWebhookData, ReceiptData } from '../contracts/inbound-webhooks.ts';
import { MAX_EVENT_BODY_BYTES } from '../contracts/inbound-webhooks.ts';
import { inboundWorkflowId, TASK_QUEUE, WORKFLOW } from '../contracts/workflows.ts';
import type { ProcessInboundInput } from '../contracts/workflows.ts';
import { recordEvent } from '../events/index.ts';
import { requestWorkflowStart } from '../outbox/index.ts';
import { statement } from '../../platform/db/statement.ts';
import type { TenantTransaction } from '../../platform/db/transaction.ts';
import { COLUMNS, summaryOf } from './receipt.view.ts';
import type { ReceiptRow } from './receipt.view.ts';
import type { Receiver } from './receiver.ts';

/** Rows that the count of a webhook is spread over. */
const COUNT_SLOTS = 16;

const INSERT = statement(`
  insert into inbound_receipts (receipt_id, client_id, webhook_id, webhook_type, idempotency_key, message_id, headers, body,
    body_bytes, source_address)
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) on conflict do nothing returning ${COLUMNS}`);
const INSERT_REFUSED = statement(`
  insert into inbound_receipts (receipt_id, client_id, webhook_id, webhook_type, status, error_message, headers, body,
    body_bytes, source_address, processing_round, processed_at)
  values ($1, $2, $3, $4, 'failed', $5, $6, $7, $8, $9, 0, now())`);
const FIRST = statement(`
  select receipt_id from inbound_receipts
  where client_id = $1 and webhook_id = $2 and (idempotency_key = $3 or message_id = $4) order by id limit 1`);
const COUNT = statement(`
  insert into inbound_webhook_counts as n (webhook_id, slot, client_id, receive_count, last_received_at)
  values ($1, $2, $3, 1, now())
  on conflict (webhook_id, slot) do update set receive_count = n.receive_count + 1, last_received_at = now()`);

/** A call as it came, authenticated. */
export interface InboundCall {
  headers: Readonly<Record<string, string>>;
  body: Buffer;
  sourceAddress: string | null;
}

/**
 * Keeps a call, records its event and asks for its workflow, in one transaction. A call that carries the Idempotency-Key
 * or the webhook-id of an earlier one changes nothing: `id` is the first receipt's.
 */
export async function receive(
  tx: TenantTransaction,
  { webhook }: Receiver,
  call: InboundCall & { parsed: unknown },
): Promise<{ id: string; isRepeated: boolean }> {
  const { headers, body, sourceAddress, parsed } = call;
  const key = headers['idempotency-key'] ?? null;
  const messageId = headers['webhook-id'] ?? null;
  const id = randomUUID();
  const values = [id, tx.clientId, webhook.id, webhook.webhook_type, key, messageId];
  const [row] = await tx.query<ReceiptRow>(INSERT, [
    ...values,
    JSON.stringify(withoutSecrets(headers)),
    body,
    body.length,
    sourceAddress,
  ]);
  if (row === undefined) return { id: await firstOf(tx, webhook.id, key, messageId), isRepeated: true };
  count(tx, webhook.id);
  const receipt = { ...summaryOf(row), body: body.length > MAX_EVENT_BODY_BYTES ? null : parsed };
  announce(tx, webhook, receipt);
  requestProcessing(tx, { receiptId: id, webhookId: webhook.id, webhookType: webhook.webhook_type, round: 1 });
  return { id, isRepeated: false };
}

/**
 * Keeps a call whose body doesn't fit, for its owner to see. It takes neither key nor id: once corrected it may come again
 * under the same.
 */
export function keepRefused(
  tx: TenantTransaction,
  { webhook }: Receiver,
  { headers, body, sourceAddress, reason }: InboundCall & { reason: string },
): void {
  const values = [randomUUID(), tx.clientId, webhook.id, webhook.webhook_type, reason.slice(0, 2_000)];
  const kept = JSON.stringify(withoutSecrets(headers));
  tx.write(INSERT_REFUSED, [...values, kept, body, body.length, sourceAddress]);
  count(tx, webhook.id);
}

/** Asks for the workflow of one round of a receipt. */
export function requestProcessing(
  tx: TenantTransaction,
  {
    receiptId,
    webhookId,
    webhookType,
    round,
  }: { receiptId: string; webhookId: string; webhookType: string; round: number },
): void {
  const input: ProcessInboundInput = {
    client_id: tx.clientId,
    receipt_id: receiptId,
    inbound_webhook_id: webhookId,
    webhook_type: webhookType,
    round,
  };
  requestWorkflowStart(tx, {
    workflowType: WORKFLOW.processInboundWebhook,
    workflowId: inboundWorkflowId(receiptId, round),
    taskQueue: TASK_QUEUE.platform,
    input,
  });
}

async function firstOf(
  tx: TenantTransaction,
  webhookId: string,
  key: string | null,
  messageId: string | null,
): Promise<string> {
  const [first] = await tx.query<{ receipt_id: string }>(FIRST, [tx.clientId, webhookId, key, messageId]);
  if (first === undefined) throw new Error('a receipt is neither new nor there');
  return first.receipt_id;
}

function announce(tx: TenantTransaction, webhook: InboundWebhookData, receipt: ReceiptData): void {
  const called = { receive_count: webhook.receive_count + 1, last_received_at: receipt.received_at };
  recordEvent(tx, {
    name: 'inbound_webhook.received',
    data: { inbound_webhook: { ...webhook, ...called }, receipt },
  });
}

function count(tx: TenantTransaction, webhookId: string): void {
  tx.write(COUNT, [webhookId, randomInt(COUNT_SLOTS), tx.clientId]);
}

/** By their names: senders call them what they like (apikey, x-auth, x-access-key). */
const SECRET_HEADER = /auth|cookie|token|secret|passw|signature|credential|apikey|(?<!^idempotency)-key$/;

/** The headers with *** for what could open something. */
function withoutSecrets(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, SECRET_HEADER.test(name) ? '***' : value]),
  );
}
