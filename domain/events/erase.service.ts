import { statement } from '../../platform/db/statement.ts';
import type { Transaction } from '../../platform/db/transaction.ts';

// A trigger takes the data away and keeps it from being dispatched. Whoever dispatches one of them at this moment is waited
// for: its deliveries are there when this ends.
const ERASE = statement(`
  update events e set erased_at = now() from unnest($1::int[], $2::uuid[]) as gone (client_id, event_id)
  where e.client_id = gone.client_id and e.event_id = gone.event_id`);

/** One event of one client. */
export interface EventRef {
  clientId: number;
  eventId: string;
}

/** The columns of {@link EventRef}s, as statements over several of them take these. */
export function columnsOf(events: readonly EventRef[]): [clientIds: number[], eventIds: string[]] {
  return [events.map(({ clientId }) => clientId), events.map(({ eventId }) => eventId)];
}

/** Takes away for good what events say, for all who could still be told. */
export async function eraseEvents(tx: Transaction, events: readonly EventRef[]): Promise<void> {
  await tx.query(ERASE, columnsOf(events));
}
