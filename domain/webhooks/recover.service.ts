import { audit } from '../audit/index.ts';
import type { Caller } from '../contracts/caller.ts';
import { MAX_COUNTED, momentOf } from '../contracts/common.ts';
import { MAX_RECOVERY_DAYS } from '../contracts/deliveries.ts';
import type { RecoverAnswer, RecoverWebhookInput } from '../contracts/deliveries.ts';
import { ApiError } from '../contracts/errors.ts';
import type { WebhookView } from '../contracts/webhooks.ts';
import type { Vault } from '../../platform/crypto.ts';
import type { TenantTransaction } from '../../platform/db/transaction.ts';
import { endpointOfWebhook } from './endpoint.ts';
import { findMissed } from './recover-missed.service.ts';
import { requestRecovery } from './recovery-requests.service.ts';
import { checkReceives, countDeadLetters } from './replay.service.ts';

const DAY_MS = 86_400_000;
/** How many events an estimate looks through at most, two thousand at a time. */
const ESTIMATE_STEPS = 10;
/** And how long: with a filter each event is read, and events may be large. */
const ESTIMATE_MS = 3_000;

/**
 * Sends a webhook what it should have received since a moment: its dead letters, and the events that occurred while it was
 * inactive or not verified (decisions §7). A workflow does it; here it is only counted and asked for.
 */
export async function recoverWebhook(
  tx: TenantTransaction,
  caller: Caller,
  webhook: WebhookView,
  input: RecoverWebhookInput,
  { vault, now }: { vault: Vault; now: number },
): Promise<RecoverAnswer> {
  const from = sinceOf(input.since, now);
  checkReceives(webhook);
  // Not the caller's clock: what is recovered now and fails again is not to be found by this very recovery.
  const to = new Date(now + 1);
  const range = { clientId: tx.clientId, webhookId: webhook.id, from, to, eventType: null };
  const [failed, { missed, isExact }] = await Promise.all([
    countDeadLetters(tx, range),
    countMissed(tx, vault, { webhookId: webhook.id, since: from, until: to }),
  ]);
  const counts = {
    failed: Math.min(failed, MAX_COUNTED),
    missed,
    counts_are_exact: isExact && failed <= MAX_COUNTED,
  };
  if (input.dry_run) return { dry_run: true, ...counts, recovery_id: null };
  const { recovery_id } = await requestRecovery(tx, {
    kind: 'recover',
    webhookId: webhook.id,
    from,
    to,
    eventType: null,
  });
  const details = { since: from.toISOString(), recovery_id };
  audit(tx, caller, { action: 'webhook.recovered', subjectType: 'webhook', subjectId: String(webhook.id), details });
  return { dry_run: false, ...counts, recovery_id };
}

function sinceOf(text: string, now: number): Date {
  const since = momentOf(text);
  if (since.getTime() > now) throw ApiError.invalid('since', 'must not lie in the future');
  if (since.getTime() < now - MAX_RECOVERY_DAYS * DAY_MS) {
    throw ApiError.invalid('since', `must not lie more than ${String(MAX_RECOVERY_DAYS)} days back`);
  }
  return since;
}

async function countMissed(
  tx: TenantTransaction,
  vault: Vault,
  { webhookId, since, until }: { webhookId: number; since: Date; until: Date },
): Promise<{ missed: number; isExact: boolean }> {
  const endpoint = await endpointOfWebhook(tx, vault, tx.clientId, webhookId);
  const endsAt = performance.now() + ESTIMATE_MS;
  let [missed, cursor] = [0, 0];
  if (endpoint === undefined) return { missed, isExact: true };
  for (let step = 0; step < ESTIMATE_STEPS; step += 1) {
    const found = await findMissed(tx, endpoint, { since, until, cursor });
    missed += found.missed.length;
    if (found.isDone) return { missed, isExact: true };
    ({ cursor } = found);
    if (performance.now() > endsAt) break;
  }
  return { missed, isExact: false };
}
