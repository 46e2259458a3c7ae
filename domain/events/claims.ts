import { statement } from '../../platform/db/statement.ts';
import type { Transaction } from '../../platform/db/transaction.ts';

// Row locks, not a lease: they live as long as the transaction that turns the events into deliveries, so a relay that
// dies in it leaves the events to the next one at once. `revision` tells whether a relay's copy of the client's webhooks
// is still the newest.
const CLAIM = statement(`
  select e.id, e.client_id, e.event_id, e.name, e.work_item_id, e.occurred_at, e.data::text as data_text,
    (select max(w.revision) from webhooks w where w.client_id = e.client_id) as revision,
    exists (select from workflow_templates t where t.client_id = e.client_id and t.trigger_event = e.name
      and t.status = 'active' and t.deleted_at is null) as is_awaited
  from events e where e.dispatched_at is null order by e.id limit $1 for update of e skip locked`);
const DISPATCHED = statement(`update events set dispatched_at = now() where id = any($1::bigint[])`);

/** An event that waits to be matched against its client's subscriptions. */
export interface ClaimedEvent extends Record<string, unknown> {
  id: number;
  client_id: number;
  event_id: string;
  name: string;
  work_item_id: number | null;
  occurred_at: Date;
  data_text: string;
  /** Highest revision among the client's webhooks; null when it has none. */
  revision: number | null;
  /** Whether a workflow template of its client waits on it. */
  is_awaited: boolean;
}

/** The oldest undispatched events that no other relay holds, locked until the end of the transaction. */
export function claimEvents(tx: Transaction, limit: number): Promise<ClaimedEvent[]> {
  return tx.query<ClaimedEvent>(CLAIM, [limit]);
}

export function markDispatched(tx: Transaction, events: readonly ClaimedEvent[]): void {
  tx.write(DISPATCHED, [events.map((event) => event.id)]);
}
