import { TASK_QUEUE, WORKFLOW } from '../contracts/workflows.ts';
import type { DeliverWebhookInput } from '../contracts/workflows.ts';
import { statement } from '../../platform/db/statement.ts';
import type { SystemDatabase } from '../../platform/db/database.ts';

/** A retry is late by so much when nobody makes it: its workflow is gone, or held up by what holds up all. */
const LATE_AFTER = `interval '10 minutes'`;
const BATCH = 500;

// Noted as due anew, so that one whose workflow is only late comes here once in a while, and keeps no other from it. The
// condition on the status is worded as that of the index.
const ADOPT = statement(`
  with late as (
    select id from deliveries
    where case status when 'retrying' then true else null end and next_attempt_at < now() - ${LATE_AFTER}
    order by next_attempt_at limit ${String(BATCH)} for update skip locked),
  noted as (
    update deliveries d set next_attempt_at = now() from late l where d.id = l.id
    returning d.id, d.client_id, d.webhook_id, d.round, d.sends, d.event_type, d.target, d.error_message, d.next_attempt_at)
  insert into workflow_starts (client_id, workflow_id, workflow_type, task_queue, input)
  select n.client_id, 'delivery/' || n.id || '/' || n.round, '${WORKFLOW.deliverWebhook}', '${TASK_QUEUE.platform}',
    jsonb_build_object('client_id', n.client_id, 'delivery_id', n.id, 'round', n.round, 'sends', n.sends,
      'next_attempt_at', to_char(n.next_attempt_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
      'webhook_id', n.webhook_id, 'event_name', n.event_type,
      'endpoint_url', coalesce(w.endpoint_url, n.target ->> 'url', ''), 'error', coalesce(n.error_message, ''))
  from noted n left join webhooks w on w.id = n.webhook_id
  on conflict (workflow_id) do nothing
  returning input`);

/**
 * Asks once more for the workflows of retries that are long overdue, and answers how many. Where the workflow is running
 * this starts nothing; where it is gone (Temporal was replaced, an operator has terminated it) the delivery goes on.
 */
export async function adoptStranded(db: SystemDatabase): Promise<number> {
  const asked = await db.query<{ input: DeliverWebhookInput }>(ADOPT);
  return asked.length;
}
