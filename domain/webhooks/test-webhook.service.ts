import type { Caller } from '../contracts/caller.ts';
import { ApiError } from '../contracts/errors.ts';
import { isEventName } from '../contracts/event-names.ts';
import type { TestWebhookInput, WebhookTestResult } from '../contracts/webhooks.ts';
import { recordAddressedEvent } from '../events/index.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Vault } from '../../platform/crypto.ts';
import type { TenantDatabase } from '../../platform/db/database.ts';
import { statement } from '../../platform/db/statement.ts';
import type { TenantTransaction } from '../../platform/db/transaction.ts';
import type { GuardedHttp } from '../../platform/http/guarded-client.ts';
import { SendError } from '../../platform/http/send-error.ts';
import type { SendOutcome } from './delivery.rules.ts';
import { endpointOfWebhook } from './endpoint.ts';
import type { WebhookEndpoint } from './endpoint.ts';
import { samplePayload } from './event-samples.ts';
import type { OutgoingDelivery } from './request.ts';
import { failedWithoutAnswer, sendDelivery } from './send.ts';
import { beyondTier } from './webhook-settings.ts';
import { eventBeyondTier } from './webhook.rules.ts';
import { auditWebhook, getWebhook } from './webhooks.service.ts';

/**
 * A test is one send, made here and now by the process that was asked (docs/decisions/0016): no relay, no workflow, no
 * counter knows of it. Its delivery is written as failed before the send: that is what it was, should the process die.
 */
export interface WebhookTestDeps {
  tenants: TenantDatabase;
  vault: Vault;
  http: GuardedHttp;
  clock: Clock;
}

const INSERT = statement(`
  insert into deliveries (client_id, webhook_id, webhook_revision, event_id, event_type, lane, is_test, status, error_message)
  values ($1, $2, $3, $4, $5, $6, true, 'failed', 'no answer was seen: the test is under way, or was cut off')
  returning id, (select occurred_at from events where client_id = $1 and event_id = $4) as occurred_at`);
// A success at the first send has no attempt row: the delivery's own columns are that attempt.
const RECORD = statement(`
  with done as (
    update deliveries set status = case when $3::text is null then 'success' else 'failed' end, sends = 1,
      error_message = $3, response_status = $4, response_body = $5, duration_ms = $6,
      delivered_at = case when $3 is null then $7::timestamptz end
    where client_id = $1 and id = $2
    returning id, webhook_revision)
  insert into delivery_attempts (delivery_id, round, send_number, client_id, webhook_revision, at, duration_ms,
    response_status, response_body, error_message)
  select id, 1, 1, $1, webhook_revision, $8, $6, $4, $5, $3 from done where $3 is not null`);

/** Sends one event to one webhook, once, and answers with what came of it. */
export async function testWebhook(
  deps: WebhookTestDeps,
  caller: Caller,
  webhookId: number,
  input: TestWebhookInput,
): Promise<WebhookTestResult> {
  const { tenants, vault } = deps;
  checkEvent(caller, input.event);
  const { endpoint, delivery } = await tenants.transaction(caller.clientId, async (tx) => {
    await getWebhook(tx, caller, webhookId);
    const found = await endpointOfWebhook(tx, vault, caller.clientId, webhookId);
    if (found === undefined || found.isDeleted) throw ApiError.notFound('webhook', webhookId);
    if (!found.isVerified) {
      throw new ApiError(
        'CONFLICT',
        'The endpoint has not echoed its challenge yet, and nothing else is sent until it has. PATCH endpoint_url sends a new one.',
      );
    }
    return { endpoint: found, delivery: await insertTest(tx, caller, found, input) };
  });
  const outcome = await send(deps, endpoint, delivery);
  const { deliveryId, event } = delivery;
  await tenants.transaction(caller.clientId, (tx) => record(tx, deliveryId, outcome));
  return {
    delivery_id: deliveryId,
    event_id: event.eventId,
    event: event.name,
    status: outcome.verdict === 'success' ? 'success' : 'failed',
    response_status: outcome.responseStatus,
    response_body: outcome.responseBody,
    duration_ms: outcome.durationMs,
    error: outcome.error,
  };
}

function checkEvent(caller: Caller, event: string): void {
  if (!isEventName(event)) throw ApiError.invalid('event', `${JSON.stringify(event)} is not an event`);
  if (eventBeyondTier([event], caller.client.finance_tier) !== undefined) throw beyondTier(event, caller);
}

async function insertTest(
  tx: TenantTransaction,
  caller: Caller,
  { webhookId, revision, lane }: WebhookEndpoint,
  { event: name, data: given }: TestWebhookInput,
): Promise<OutgoingDelivery> {
  const { clientId } = caller;
  const data = given ?? sampleOf(name);
  const eventId = recordAddressedEvent(tx, { name, data });
  const values = [clientId, webhookId, revision, eventId, name, lane];
  const [row] = await tx.query<{ id: number; occurred_at: Date }>(INSERT, values);
  if (row === undefined) throw new Error('insert into deliveries returned no row');
  auditWebhook(tx, caller, webhookId, 'webhook.tested', { delivery_id: row.id, event: name });
  const event = { clientId, eventId, name, occurredAt: row.occurred_at, dataText: JSON.stringify(data) };
  return { deliveryId: row.id, sendNumber: 1, isTest: true, event };
}

function sampleOf(event: string): Record<string, unknown> {
  return (samplePayload(event)?.['data'] ?? {}) as Record<string, unknown>;
}

/** Whoever tests wants to know of a lack on our side too: nothing is tried again. */
async function send(
  { http, clock }: WebhookTestDeps,
  endpoint: WebhookEndpoint,
  delivery: OutgoingDelivery,
): Promise<SendOutcome> {
  const at = clock.now();
  try {
    return await sendDelivery({ http, clock }, endpoint, delivery);
  } catch (error) {
    if (!(error instanceof SendError)) throw error;
    return failedWithoutAnswer(at, clock.now() - at, error.message);
  }
}

async function record(tx: TenantTransaction, deliveryId: number, outcome: SendOutcome): Promise<void> {
  const at = new Date(outcome.at);
  const answeredAt = new Date(outcome.at + outcome.durationMs);
  const error = outcome.verdict === 'success' ? null : (outcome.error ?? 'the send failed');
  const { responseStatus, responseBody, durationMs } = outcome;
  await tx.query(RECORD, [tx.clientId, deliveryId, error, responseStatus, responseBody, durationMs, answeredAt, at]);
}
