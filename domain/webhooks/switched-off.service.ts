import { audit } from '../audit/index.ts';
import type { Transaction } from '../../platform/db/transaction.ts';
import { webhookDisabled } from './webhook-mails.ts';
import type { DisabledReason } from './webhook-mail-texts.rules.ts';

/** In the transaction in which the platform has switched a webhook off: who looks for the reason finds it, and its owner is told. */
export async function switchedOff(
  tx: Transaction,
  webhook: { clientId: number; webhookId: number; reason: DisabledReason },
): Promise<void> {
  const { clientId, webhookId, reason } = webhook;
  const actor = { type: 'system', id: 'webhook-health' } as const;
  const details = { changes: { is_active: { from: true, to: false } }, reason };
  audit(
    tx,
    { clientId, actor, address: null },
    { action: 'webhook.disabled', subjectType: 'webhook', subjectId: String(webhookId), details },
  );
  await webhookDisabled(tx, webhook);
}
