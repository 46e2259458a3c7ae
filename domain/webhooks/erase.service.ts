import { columnsOf } from '../events/index.ts';
import type { EventRef } from '../events/index.ts';
import { statement } from '../../platform/db/statement.ts';
import type { Transaction } from '../../platform/db/transaction.ts';

/** Why a delivery ended that was still on its way, or could be sent again. */
export const ERASED_REASON = 'cancelled: what it told of was erased';

// An answer may repeat what was sent. The workflow of a retry finds that the delivery is no longer its own, and ends.
const CANCEL = statement(`
  update deliveries d set response_body = null, leased_until = null, next_attempt_at = null,
    dlq_reason = case when d.status = 'success' then d.dlq_reason else $3 end,
    status = case when d.status = 'success' then d.status else 'expired' end
  from unnest($1::int[], $2::uuid[]) as gone (client_id, event_id)
  where d.client_id = gone.client_id and d.event_id = gone.event_id`);
const FORGET_ANSWERS = statement(`
  update delivery_attempts a set response_body = null
  from unnest($1::int[], $2::uuid[]) as gone (client_id, event_id)
  join deliveries d on d.client_id = gone.client_id and d.event_id = gone.event_id
  where a.client_id = gone.client_id and a.delivery_id = d.id`);

/** Ends the deliveries of events that are erased in the same transaction, and forgets what their receivers answered. */
export function cancelErased(tx: Transaction, events: readonly EventRef[]): void {
  tx.write(CANCEL, [...columnsOf(events), ERASED_REASON]);
  tx.write(FORGET_ANSWERS, columnsOf(events));
}
