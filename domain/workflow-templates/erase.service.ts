import { columnsOf } from '../events/index.ts';
import type { EventRef } from '../events/index.ts';
import { statement } from '../../platform/db/statement.ts';
import type { Transaction } from '../../platform/db/transaction.ts';

// By way of the templates: runs are found by template and event. What a step made is the client's own record, and stays.
const FORGET = statement(`
  update workflow_runs r set data = jsonb_build_object('event', t.trigger_event, 'erased', true),
    error = case when r.error is null then null else 'What its event said was erased.' end,
    cancel_requested_at = case when r.finished_at is null then coalesce(r.cancel_requested_at, now()) else r.cancel_requested_at end
  from unnest($1::int[], $2::uuid[]) as gone (client_id, event_id)
  join workflow_templates t on t.client_id = gone.client_id
  where r.client_id = gone.client_id and r.template_id = t.id and r.event_id = gone.event_id`);

/** Takes what erased events said from the runs that they started; one that isn't at its end does nothing more. */
export function forgetErased(tx: Transaction, events: readonly EventRef[]): void {
  tx.write(FORGET, columnsOf(events));
}
