import { statement } from '../../platform/db/statement.ts';
import type { Statement } from '../../platform/db/statement.ts';
import type { SystemDatabase } from '../../platform/db/database.ts';
import type { Decision, SendOutcome } from './delivery.rules.ts';
import { VERIFICATION_EVENT } from './verification.rules.ts';
import { switchedOff } from './switched-off.service.ts';
import { lockWebhooks } from './webhooks.service.ts';

const NEXT_REVISION = `(select coalesce(max(revision), 0) + 1 from webhooks where client_id = $1)`;
// What an address did that the webhook has left meanwhile says nothing about its new one. $3: the revision that was sent to.
const IS_THERE = `coalesce(endpoint_url = (
    select r.endpoint_url from webhook_revisions r
    where r.client_id = $1 and r.webhook_id = $2 and r.revision <= $3 order by r.revision desc limit 1), true)`;
const VERIFIED = statement(`
  update webhooks set verification_status = 'verified', verified_at = now(), updated_at = now(), revision = ${NEXT_REVISION}
  where client_id = $1 and id = $2 and verification_status <> 'verified' and ${IS_THERE}`);
const UNVERIFIABLE = statement(`
  update webhooks set verification_status = 'failed', updated_at = now(), revision = ${NEXT_REVISION}
  where client_id = $1 and id = $2 and verification_status = 'pending' and ${IS_THERE}`);
const GONE = statement(`
  update webhooks set is_active = false, disabled_at = now(), disabled_reason = 'gone', updated_at = now(),
    revision = ${NEXT_REVISION}
  where client_id = $1 and id = $2 and is_active and ${IS_THERE} returning id`);

/**
 * What a send means for its webhook beyond the delivery: a verification that ended, or a 410 that switches the webhook
 * off. Harmless when repeated: whoever dies between this and the record of the send does both again.
 */
export async function applyToWebhook(
  db: SystemDatabase,
  sent: { clientId: number; webhookId: number | null; eventName: string; revision: number | null },
  outcome: Pick<SendOutcome, 'verdict'>,
  decision: Pick<Decision, 'status'>,
): Promise<void> {
  const change = changeOf(sent.eventName, outcome.verdict, decision.status);
  const { webhookId } = sent;
  if (change === undefined || webhookId === null) return;
  await db.transaction(async (tx) => {
    lockWebhooks(tx, sent.clientId);
    const changed = await tx.query(change, [sent.clientId, webhookId, sent.revision]);
    if (change === GONE && changed.length > 0) {
      await switchedOff(tx, { clientId: sent.clientId, webhookId, reason: 'gone' });
    }
  });
}

function changeOf(
  eventName: string,
  verdict: SendOutcome['verdict'],
  status: Decision['status'],
): Statement | undefined {
  if (verdict === 'gone') return GONE;
  if (eventName !== VERIFICATION_EVENT || status === 'retrying') return undefined;
  return status === 'success' ? VERIFIED : UNVERIFIABLE;
}
