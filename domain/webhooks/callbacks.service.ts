import { statement } from '../../platform/db/statement.ts';
import type { TenantTransaction } from '../../platform/db/transaction.ts';
import { DELIVERIES_CHANNEL } from '../outbox/index.ts';
import { callbackLane, webhookLane } from './endpoint.ts';
import type { CallbackTarget } from './endpoint.ts';

const INSERT = statement(`
  insert into deliveries (client_id, webhook_id, event_id, event_type, lane, target)
  values ($1, $2, $3, $4, $5, $6)`);

export interface CallbackRequest {
  /** The event whose data is the callback's body. */
  eventId: string;
  eventType: string;
  url: string;
  /** The API key whose plain text signs the body. */
  apiKeyId?: number;
  /** The OAuth application whose secret signs it, where the call came with its token; a public one has none. */
  applicationId?: number;
  /** Of a call in the sandbox: it is listed and replayed there only. */
  isSandbox?: boolean;
}

/** Queues a Document AI callback in the transaction of the result that it announces. */
export function queueCallback(tx: TenantTransaction, request: CallbackRequest): void {
  const { eventId, eventType, url, apiKeyId, applicationId, isSandbox = false } = request;
  const target: CallbackTarget = {
    url,
    ...(apiKeyId === undefined ? {} : { api_key_id: apiKeyId }),
    ...(applicationId === undefined ? {} : { oauth_application_id: applicationId }),
    ...(isSandbox ? { is_sandbox: true } : {}),
  };
  tx.write(INSERT, [tx.clientId, null, eventId, eventType, callbackLane(url), JSON.stringify(target)]);
  tx.notify(DELIVERIES_CHANNEL);
}

/** Queues a delivery of an event to one webhook, whatever that subscribes to. */
export function queueDelivery(
  tx: TenantTransaction,
  { eventId, eventType, webhookId }: { eventId: string; eventType: string; webhookId: number },
): void {
  tx.write(INSERT, [tx.clientId, webhookId, eventId, eventType, webhookLane(webhookId), null]);
  tx.notify(DELIVERIES_CHANNEL);
}
