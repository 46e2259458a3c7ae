import { deactivateExpiredKeys, expireDeadLetters } from '../webhooks/index.ts';
import type { SystemDatabase } from '../../platform/db/database.ts';

/** How long a dead letter is kept where nobody says otherwise (spec, "Retries"). */
export const DLQ_RETENTION_DAYS = 30;
const KEY_BATCH = 500;

export interface WebhookMaintenance {
  /** Dead letters that became `expired`. */
  expired: number;
  /** Signing keys deactivated because their grace period was over. */
  deactivated: number;
  /** Whether nothing was left to do when it stopped. */
  isComplete: boolean;
}

/**
 * What the cron endpoint and the hourly schedule do: expire dead letters, and deactivate signing keys past their grace
 * period. In batches, between which `goOn` is asked.
 */
export async function maintainWebhooks(
  system: SystemDatabase,
  { retentionDays, now, goOn }: { retentionDays: number; now: number; goOn: () => boolean },
): Promise<WebhookMaintenance> {
  const done: WebhookMaintenance = { expired: 0, deactivated: 0, isComplete: false };
  for (let isMore = true; isMore;) {
    const count = await deactivateExpiredKeys(system, now, KEY_BATCH);
    done.deactivated += count;
    isMore = count === KEY_BATCH;
    if (isMore && !goOn()) return done;
  }
  for (;;) {
    const { removed, isDone } = await expireDeadLetters(system, { retentionDays, now });
    done.expired += removed;
    if (isDone) return { ...done, isComplete: true };
    if (!goOn()) return done;
  }
}
