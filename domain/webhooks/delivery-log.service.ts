import { isoMoment } from '../contracts/common.ts';
import type { Page } from '../contracts/common.ts';
import { ApiError } from '../contracts/errors.ts';
import type { DeliveryAttemptView, DeliveryDetail, DeliveryView, ListDeliveriesInput } from '../contracts/webhooks.ts';
import { statement } from '../../platform/db/statement.ts';
import type { TenantTransaction } from '../../platform/db/transaction.ts';
import type { Vault } from '../../platform/crypto.ts';
import { attemptNumber } from './delivery.rules.ts';
import { endpointOfWebhook } from './endpoint.ts';
import { buildRequest, loggedHeaders } from './request.ts';

const COLUMNS = `d.id, d.event_type, d.work_item_id, d.response_status, d.status, d.error_message, d.duration_ms, d.sends,
  d.round, d.created_at, d.delivered_at, d.event_id, d.next_attempt_at, d.dlq_at, d.dlq_reason`;
const MATCHING = `
  from deliveries d
  where d.client_id = $1 and d.webhook_id = $2
    and ($3::text is null or d.status = $3) and ($4::text is null or d.event_type = $4)
    and ($5::timestamptz is null or d.created_at >= $5) and ($6::timestamptz is null or d.created_at < $6)
    and ($7::text is null or d.error_message ilike '%' || $7 || '%' or d.event_id::text = $7 or d.id::text = $7)`;
const LIST = statement(`select ${COLUMNS} ${MATCHING} order by d.id desc limit $8 offset $9`);
const COUNT = statement(`select count(*) as total ${MATCHING}`);
const GET = statement(`
  select ${COLUMNS}, d.response_body, e.data::text as data_text, e.occurred_at
  from deliveries d join events e on e.event_id = d.event_id
  where d.client_id = $1 and d.webhook_id = $2 and d.id = $3`);
const ATTEMPTS = statement(`
  select round, send_number, at, duration_ms, response_status, response_body, error_message
  from delivery_attempts where client_id = $1 and delivery_id = $2 order by round, send_number`);

interface DeliveryRow extends Record<string, unknown> {
  id: number;
  event_type: string;
  work_item_id: number | null;
  response_status: number | null;
  status: DeliveryView['status'];
  error_message: string | null;
  duration_ms: number | null;
  sends: number;
  round: number;
  created_at: Date;
  delivered_at: Date | null;
  event_id: string;
  next_attempt_at: Date | null;
  dlq_at: Date | null;
  dlq_reason: string | null;
}

interface DetailRow extends DeliveryRow {
  response_body: string | null;
  data_text: string;
  occurred_at: Date;
}

type AttemptRow = Omit<DeliveryAttemptView, 'at'> & { at: Date };

/** A webhook's deliveries, newest first. The caller must have been shown the webhook (`getWebhook`). */
export async function listDeliveries(
  tx: TenantTransaction,
  webhookId: number,
  input: ListDeliveriesInput,
): Promise<{ deliveries: DeliveryView[]; pagination: Page }> {
  const { status, event, from, to, search, limit, offset } = input;
  const like = search?.replaceAll(/[\\%_]/g, '\\$&');
  const filter = [tx.clientId, webhookId, status ?? null, event ?? null, moment(from), moment(to), like ?? null];
  const [rows, [count]] = await Promise.all([
    tx.query<DeliveryRow>(LIST, [...filter, limit, offset]),
    tx.query<{ total: number }>(COUNT, filter),
  ]);
  return { deliveries: rows.map(viewOf), pagination: { total: count?.total ?? 0, limit, offset } };
}

/** One delivery with its request and every attempt. */
export async function getDelivery(
  tx: TenantTransaction,
  vault: Vault,
  webhookId: number,
  deliveryId: number,
): Promise<DeliveryDetail> {
  const [[row], attempts, endpoint] = await Promise.all([
    tx.query<DetailRow>(GET, [tx.clientId, webhookId, deliveryId]),
    tx.query<AttemptRow>(ATTEMPTS, [tx.clientId, deliveryId]),
    endpointOfWebhook(tx, vault, tx.clientId, webhookId),
  ]);
  if (row === undefined || endpoint === undefined) throw ApiError.notFound('delivery', deliveryId);
  const { event_id: eventId, event_type: name, occurred_at: occurredAt, data_text: dataText } = row;
  const event = { clientId: tx.clientId, eventId, name, occurredAt, dataText };
  const sentAt = (row.delivered_at ?? row.created_at).getTime();
  const { method, headers, body } = buildRequest(
    endpoint,
    { deliveryId, sendNumber: Math.max(1, row.sends), event },
    sentAt,
  );
  return {
    ...viewOf(row),
    request: { method, url: endpoint.url, headers: loggedHeaders(headers), body },
    attempts: [...attempts.map(attemptOf), ...unwrittenAttempt(row, attempts)],
  };
}

function viewOf(row: DeliveryRow): DeliveryView {
  return {
    id: row.id,
    event_type: row.event_type,
    work_item_id: row.work_item_id,
    response_status: row.response_status,
    status: row.status,
    error_message: row.error_message,
    duration_ms: row.duration_ms,
    attempt_number: attemptNumber(row.sends),
    created_at: isoMoment(row.created_at),
    delivered_at: isoMoment(row.delivered_at),
    event_id: row.event_id,
    round: row.round,
    sends: row.sends,
    next_attempt_at: isoMoment(row.next_attempt_at),
    dlq_at: isoMoment(row.dlq_at),
    dlq_reason: row.dlq_reason,
  };
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

/** As a Date: PostgreSQL knows no zone offsets beyond 15:59, ISO 8601 does. */
function moment(text: string | undefined): Date | null {
  return text === undefined ? null : new Date(text);
}
