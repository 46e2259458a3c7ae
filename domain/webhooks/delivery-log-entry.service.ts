import { isoMoment } from '../contracts/common.ts';
import type { DeliveryAttemptView, DeliveryDetail } from '../contracts/deliveries.ts';
import { ApiError } from '../contracts/errors.ts';
import { statement } from '../../platform/db/statement.ts';
import type { TenantTransaction } from '../../platform/db/transaction.ts';
import type { Vault } from '../../platform/crypto.ts';
import { parseTarget } from '../../platform/http/guarded-client.ts';
import { DELIVERY_COLUMNS, deliveryView } from './delivery-log.view.ts';
import type { DeliveryRow } from './delivery-log.view.ts';
import { endpointOfWebhook } from './endpoint.ts';
import type { WebhookEndpoint } from './endpoint.ts';
import { buildRequest, loggedHeaders } from './request.ts';

// Of the revision that made the last request; where none was written for just that one, of the last before it.
const GET = statement(`
  select ${DELIVERY_COLUMNS}, d.response_body, e.data::text as data_text, e.occurred_at,
    r.endpoint_url, r.http_method, r.custom_headers, r.auth_type, r.payload_version, r.payload_template
  from deliveries d join events e on e.event_id = d.event_id
  left join lateral (
    select * from webhook_revisions r
    where r.client_id = d.client_id and r.webhook_id = d.webhook_id and r.revision <= d.webhook_revision
    order by r.revision desc limit 1) r on true
  where d.client_id = $1 and d.webhook_id = $2 and d.id = $3`);
const ATTEMPTS = statement(`
  select round, send_number, at, duration_ms, response_status, response_body, error_message
  from delivery_attempts where client_id = $1 and delivery_id = $2 order by round, send_number`);
const KEYS = statement(`
  select key_version, created_at, expires_at from webhook_keys
  where client_id = $1 and webhook_id = $2 order by key_version desc`);

interface RevisionColumns {
  endpoint_url: string | null;
  http_method: string;
  custom_headers: Record<string, string>;
  auth_type: string;
  payload_version: string;
  payload_template: Record<string, unknown> | null;
}

type DetailRow = DeliveryRow & RevisionColumns & { response_body: string | null; data_text: string; occurred_at: Date };

type AttemptRow = Omit<DeliveryAttemptView, 'at'> & { at: Date };

interface KeyRow extends Record<string, unknown> {
  key_version: number;
  created_at: Date;
  expires_at: Date | null;
}

/** One delivery with its request and every attempt. The caller must have been shown the webhook (`getWebhook`). */
export async function getDelivery(
  tx: TenantTransaction,
  vault: Vault,
  webhookId: number,
  deliveryId: number,
): Promise<DeliveryDetail> {
  const [[row], attempts, keys, endpoint] = await Promise.all([
    tx.query<DetailRow>(GET, [tx.clientId, webhookId, deliveryId]),
    tx.query<AttemptRow>(ATTEMPTS, [tx.clientId, deliveryId]),
    tx.query<KeyRow>(KEYS, [tx.clientId, webhookId]),
    endpointOfWebhook(tx, vault, tx.clientId, webhookId),
  ]);
  if (row === undefined || endpoint === undefined) throw ApiError.notFound('delivery', deliveryId);
  const all = [...attempts.map(attemptOf), ...unwrittenAttempt(row, attempts)];
  const last = all.findLast(({ round }) => round === row.round);
  const sentAt = last === undefined ? row.created_at : new Date(last.at);
  return { ...deliveryView(row), request: requestOf(row, asItWas(endpoint, row), { sentAt, keys }), attempts: all };
}

function requestOf(
  row: DetailRow,
  { endpoint, authType }: { endpoint: WebhookEndpoint; authType: string },
  { sentAt, keys }: { sentAt: Date; keys: readonly KeyRow[] },
): DeliveryDetail['request'] {
  const { event_id: eventId, event_type: name, occurred_at: occurredAt, data_text: dataText } = row;
  const event = { clientId: endpoint.clientId, eventId, name, occurredAt, dataText };
  const delivery = { deliveryId: row.id, sendNumber: Math.max(1, row.sends), isTest: row.is_test, event };
  const { method, headers, body } = buildRequest(endpoint, delivery, sentAt.getTime());
  if (authType === 'hmac') {
    headers['webhook-id'] = `evt_${eventId}`;
    headers['webhook-timestamp'] = String(Math.floor(sentAt.getTime() / 1_000));
    headers['X-Webhook-Key-Version'] = versionsAt(keys, sentAt);
  }
  return { method, url: endpoint.url, headers: loggedHeaders(headers), body };
}

/**
 * The endpoint as it was when the last request was made. Signed with nothing: signatures aren't shown, and the keys of
 * then may be gone.
 */
function asItWas(endpoint: WebhookEndpoint, row: DetailRow): { endpoint: WebhookEndpoint; authType: string } {
  const auth = { type: 'none' } as const;
  if (row.endpoint_url === null) return { endpoint: { ...endpoint, auth }, authType: endpoint.auth.type };
  const then = {
    ...endpoint,
    auth,
    url: row.endpoint_url,
    target: parseTarget(row.endpoint_url),
    method: row.http_method,
    customHeaders: row.custom_headers,
    payload: { version: row.payload_version, template: row.payload_template } as WebhookEndpoint['payload'],
  };
  return { endpoint: then, authType: row.auth_type };
}

/** The keys that signed at a time, newest first. */
function versionsAt(keys: readonly KeyRow[], at: Date): string {
  const valid = keys.filter(
    ({ created_at, expires_at }) => created_at <= at && (expires_at === null || expires_at > at),
  );
  return valid.map((key) => String(key.key_version)).join(',');
}

function attemptOf({ at, ...row }: AttemptRow): DeliveryAttemptView {
  return { ...row, at: isoMoment(at) };
}

/** The attempt that only the delivery's own row tells of: a success at the first send (see `Delivery`). */
function unwrittenAttempt(row: DetailRow, written: readonly AttemptRow[]): DeliveryAttemptView[] {
  if (row.delivered_at === null || written.some(({ round }) => round === row.round)) return [];
  const duration_ms = row.duration_ms ?? 0;
  return [
    {
      round: row.round,
      send_number: 1,
      at: new Date(row.delivered_at.getTime() - duration_ms).toISOString(),
      duration_ms,
      response_status: row.response_status,
      response_body: row.response_body,
      error_message: null,
    },
  ];
}
