import { momentOf, pageOf } from '../contracts/common.ts';
import type { Page } from '../contracts/common.ts';
import type { DeliveryView, ListDeliveriesInput } from '../contracts/deliveries.ts';
import type { TenantTransaction } from '../../platform/db/transaction.ts';
import { keyOf, LIST_QUERIES } from './delivery-log.queries.ts';
import { deliveryView } from './delivery-log.view.ts';
import type { DeliveryRow } from './delivery-log.view.ts';

/** A webhook's deliveries, newest first. The caller must have been shown the webhook (`getWebhook`). */
export async function listDeliveries(
  tx: TenantTransaction,
  webhookId: number,
  input: ListDeliveriesInput,
): Promise<{ deliveries: DeliveryView[]; pagination: Page }> {
  const { status, event, from, to, search, limit, offset } = input;
  const queries = LIST_QUERIES.get(keyOf({ status: status ?? 'any', byEvent: event !== undefined }));
  if (queries === undefined) throw new Error(`no list of ${String(status)} deliveries`);
  const filter = [tx.clientId, webhookId, event ?? null, ...periodOf(from, to)];
  if (search !== undefined) {
    const found = await tx.query<FoundRow>(queries.search, [...filter, limit, offset, ...searchValues(search)]);
    const rows = found.filter(isDelivery);
    return { deliveries: rows.map(deliveryView), pagination: pageOf(found[0]?.total ?? 0, { limit, offset }) };
  }
  const [rows, [counted]] = await Promise.all([
    tx.query<DeliveryRow>(queries.list, [...filter, limit, offset]),
    tx.query<{ total: number }>(queries.count, filter),
  ]);
  return { deliveries: rows.map(deliveryView), pagination: pageOf(counted?.total ?? 0, { limit, offset }) };
}

interface FoundRow extends Record<string, unknown> {
  /** Null where nothing is on the page. */
  id: number | null;
  total: number;
}

function isDelivery(row: FoundRow): row is FoundRow & DeliveryRow {
  return row.id !== null;
}

export function instant(text: string | undefined): Date | null {
  return text === undefined ? null : momentOf(text);
}

/** Bounds as they stand: behind row-level security an index is not looked into with a `coalesce` of what may be null. */
export function periodOf(from: string | undefined, to: string | undefined): [Date | string, Date | string] {
  return [instant(from) ?? '-infinity', instant(to) ?? 'infinity'];
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const EVENT_PREFIX = 'evt_';

/** As part of an error, as an event's id (also as the Idempotency-Key has it), as a delivery's id. */
function searchValues(search: string): unknown[] {
  const eventId = search.startsWith(EVENT_PREFIX) ? search.slice(EVENT_PREFIX.length) : search;
  return [
    `%${search.replaceAll(/[\\%_]/g, '\\$&')}%`,
    UUID.test(eventId) ? eventId : null,
    /^\d{1,15}$/.test(search) ? Number(search) : null,
  ];
}
