import { audit } from '../audit/index.ts';
import type { Caller } from '../contracts/caller.ts';
import { ApiError } from '../contracts/errors.ts';
import type { RotateWebhookKeyInput } from '../contracts/webhook-keys.ts';
import type { WebhookView } from '../contracts/webhooks.ts';
import { signingKeyWorkflowId, TASK_QUEUE, WORKFLOW } from '../contracts/workflows.ts';
import type { RotateSigningKeyInput } from '../contracts/workflows.ts';
import { requestWorkflowStart } from '../outbox/index.ts';
import { statement } from '../../platform/db/statement.ts';
import type { TenantTransaction } from '../../platform/db/transaction.ts';
import type { Vault } from '../../platform/crypto.ts';
import { createKey } from './keys.service.ts';
import { getWebhook, lockWebhooks, NEXT_REVISION } from './webhooks.service.ts';

const HOUR_MS = 3_600_000;
/** Each valid key is one more signature in every delivery. */
const MAX_VALID_KEYS = 5;

const VALID_KEYS = statement(`
  select count(*)::int as keys from webhook_keys
  where client_id = $1 and webhook_id = $2 and deactivated_at is null and (expires_at is null or expires_at > $3)`);
// An earlier key keeps the end that its owner was told of, unless this rotation's comes sooner.
const END_OLD = statement(`
  update webhook_keys set expires_at = least(expires_at, $3::timestamptz),
    deactivated_at = case when $3::timestamptz <= $4::timestamptz then $4::timestamptz end
  where client_id = $1 and webhook_id = $2 and deactivated_at is null`);
const ADVANCE = statement(`
  update webhooks set current_key_version = $3, grace_period_ends_at = $4, updated_at = $5,
    revision = ${NEXT_REVISION}
  where client_id = $1 and id = $2`);

/**
 * Puts a new signing key in force; the old ones sign beside it until the grace period ends (spec, "Signing-key rotation").
 * The secret is answered here and nowhere else. A webhook that is not signed for can rotate too: its owner gets a secret
 * to give to the receiver before switching to hmac.
 */
export async function rotateKey(
  tx: TenantTransaction,
  caller: Caller,
  { id: webhookId, grace_period_hours: graceHours }: RotateWebhookKeyInput,
  { vault, now }: { vault: Vault; now: number },
): Promise<{ webhook: WebhookView; secretKey: string }> {
  lockWebhooks(tx, tx.clientId);
  const before = await getWebhook(tx, caller, webhookId);
  const keyVersion = before.current_key_version + 1;
  const endsAt = new Date(now + graceHours * HOUR_MS);
  const at = new Date(now);
  if (graceHours > 0) await checkRoom(tx, webhookId, at);
  tx.write(END_OLD, [tx.clientId, webhookId, endsAt, at]);
  const { secretKey } = createKey(tx, webhookId, keyVersion, { vault, ed25519: before.ed25519_enabled });
  tx.write(ADVANCE, [tx.clientId, webhookId, keyVersion, graceHours > 0 ? endsAt : null, at]);
  const input: RotateSigningKeyInput = {
    client_id: tx.clientId,
    webhook_id: webhookId,
    key_version: keyVersion,
    grace_period_hours: graceHours,
    old_key_ends_at: endsAt.toISOString(),
  };
  requestWorkflowStart(tx, {
    workflowType: WORKFLOW.rotateSigningKey,
    workflowId: signingKeyWorkflowId(webhookId, keyVersion),
    taskQueue: TASK_QUEUE.platform,
    input,
  });
  audit(tx, caller, {
    action: 'webhook.key_rotated',
    subjectType: 'webhook',
    subjectId: String(webhookId),
    details: {
      changes: { current_key_version: { from: before.current_key_version, to: keyVersion } },
      grace_period_hours: graceHours,
    },
  });
  return { webhook: await getWebhook(tx, caller, webhookId), secretKey };
}

async function checkRoom(tx: TenantTransaction, webhookId: number, at: Date): Promise<void> {
  const [valid] = await tx.query<{ keys: number }>(VALID_KEYS, [tx.clientId, webhookId, at]);
  if ((valid?.keys ?? 0) < MAX_VALID_KEYS) return;
  throw new ApiError(
    'CONFLICT',
    `${String(MAX_VALID_KEYS)} keys of this webhook are valid already. Wait until one ends, or end them all with grace_period_hours 0.`,
  );
}
