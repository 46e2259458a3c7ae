import { randomUUID } from 'node:crypto';
import type { Caller } from '../contracts/caller.ts';
import { ApiError } from '../contracts/errors.ts';
import { MAX_EVENT_DATA_BYTES } from '../contracts/publish-event.ts';
import type { PublishedEventView, PublishEventInput } from '../contracts/publish-event.ts';
import { OUTBOX_CHANNEL } from '../outbox/index.ts';
import { statement } from '../../platform/db/statement.ts';
import type { TenantTransaction } from '../../platform/db/transaction.ts';

// The event is its own audit entry (who, when, what): a second row for each would halve the rate.
const INSERT = statement(`
  insert into events (client_id, event_id, name, work_item_id, data, published_by) values ($1, $2, $3, $4, $5, $6)
  returning occurred_at`);

/** Records an event that a customer's own system reports. It only inserts, so that many may share one transaction. */
export async function publishEvent(
  tx: TenantTransaction,
  caller: Pick<Caller, 'actor'>,
  { event, data }: PublishEventInput,
  workItemId: number | null,
): Promise<PublishedEventView> {
  const text = JSON.stringify(data);
  if (Buffer.byteLength(text) > MAX_EVENT_DATA_BYTES) {
    throw ApiError.invalid('data', `must not exceed ${String(MAX_EVENT_DATA_BYTES)} bytes of JSON`);
  }
  const eventId = randomUUID();
  const publisher = `${caller.actor.type}:${caller.actor.id}`;
  tx.notify(OUTBOX_CHANNEL);
  const [row] = await tx.query<{ occurred_at: Date }>(INSERT, [
    tx.clientId,
    eventId,
    event,
    workItemId,
    text,
    publisher,
  ]);
  if (row === undefined) throw new Error('insert into events returned no row');
  return { event_id: eventId, event, occurred_at: row.occurred_at.toISOString() };
}
