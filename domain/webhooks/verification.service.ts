import { randomBytes } from 'node:crypto';
import { recordAddressedEvent } from '../events/index.ts';
import { statement } from '../../platform/db/statement.ts';
import type { TenantTransaction } from '../../platform/db/transaction.ts';
import { queueDelivery } from './callbacks.service.ts';
import { webhookLane } from './endpoint.ts';
import { VERIFICATION_EVENT } from './verification.rules.ts';

// Found by the indexes of what is pending, and of an event's deliveries: not through all that was ever sent to the webhook.
const SUPERSEDE = statement(`
  update deliveries d set status = 'failed', dlq_at = now(), dlq_reason = 'a newer challenge took its place',
    next_attempt_at = null, leased_until = null
  from (
    select id from deliveries where lane = $3 and status = 'pending' and event_type = '${VERIFICATION_EVENT}'
    union all
    select id from deliveries
    where client_id = $1 and webhook_id = $2 and status = 'retrying' and event_type = '${VERIFICATION_EVENT}') old
  where d.client_id = $1 and d.id = old.id and d.status in ('pending', 'retrying')`);

/** Queues a `webhook.verification` delivery, whose endpoint must answer with the challenge (decisions §7). */
export function sendChallenge(tx: TenantTransaction, webhookId: number): void {
  const data = { challenge: randomBytes(24).toString('base64url') };
  const eventId = recordAddressedEvent(tx, { name: VERIFICATION_EVENT, data });
  queueDelivery(tx, { eventId, eventType: VERIFICATION_EVENT, webhookId });
}

/** The same for a webhook that was challenged before: that one ends. */
export function sendChallengeAnew(tx: TenantTransaction, webhookId: number): void {
  tx.write(SUPERSEDE, [tx.clientId, webhookId, webhookLane(webhookId)]);
  sendChallenge(tx, webhookId);
}
