import { randomUUID } from 'node:crypto';
import { statement } from '../../platform/db/statement.ts';
import type { TenantTransaction } from '../../platform/db/transaction.ts';
import { OUTBOX_CHANNEL } from '../outbox/index.ts';

const INSERT = statement(`
  insert into events (client_id, event_id, name, work_item_id, data) values ($1, $2, $3, $4, $5)`);
const INSERT_DISPATCHED = statement(`
  insert into events (client_id, event_id, name, data, dispatched_at, is_addressed) values ($1, $2, $3, $4, now(), true)`);

/**
 * Writes an event into the transaction of the change that it reports, and wakes the relay once that is committed.
 * Answers the event's id (a UUID), which every delivery of it carries.
 */
export function recordEvent(
  tx: TenantTransaction,
  event: { name: string; data: Record<string, unknown>; workItemId?: number | null },
): string {
  const eventId = randomUUID();
  tx.write(INSERT, [tx.clientId, eventId, event.name, event.workItemId ?? null, JSON.stringify(event.data)]);
  tx.notify(OUTBOX_CHANNEL);
  return eventId;
}

const INSERT_MANY = statement(`
  insert into events (client_id, event_id, name, work_item_id, data)
  select $1, (e ->> 'event_id')::uuid, e ->> 'name', (e ->> 'work_item_id')::bigint, e -> 'data'
  from json_array_elements($2::json) e`);

/** The same for the many events of one change, in their order; one statement, so give it some hundred at a time. */
export async function recordEvents(
  tx: TenantTransaction,
  events: readonly { name: string; data: Record<string, unknown>; workItemId: number }[],
): Promise<void> {
  const rows = events.map(({ name, data, workItemId }) => ({
    event_id: randomUUID(),
    name,
    work_item_id: workItemId,
    data,
  }));
  await tx.query(INSERT_MANY, [tx.clientId, JSON.stringify(rows)]);
  tx.notify(OUTBOX_CHANNEL);
}

/**
 * Writes an event that goes to one receiver, named by a delivery in the same transaction (a test, a verification): no
 * subscription is matched against it.
 */
export function recordAddressedEvent(
  tx: TenantTransaction,
  event: { name: string; data: Record<string, unknown> },
): string {
  const eventId = randomUUID();
  tx.write(INSERT_DISPATCHED, [tx.clientId, eventId, event.name, JSON.stringify(event.data)]);
  return eventId;
}

export { columnsOf, eraseEvents } from './erase.service.ts';
export type { EventRef } from './erase.service.ts';
export { publishEvent } from './publish.service.ts';
export { claimEvents, markDispatched } from './claims.ts';
export type { ClaimedEvent } from './claims.ts';
