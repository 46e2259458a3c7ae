import { proxyActivities } from '@temporalio/workflow';
import type { MaintenanceActivities } from '../activities/maintenance.ts';

const { purgeableKinds, purge, maintainWebhooks } = proxyActivities<MaintenanceActivities>({
  startToCloseTimeout: '5 minutes',
  heartbeatTimeout: '30 seconds',
  retry: { initialInterval: '1 second', backoffCoefficient: 2, maximumInterval: '1 minute', maximumAttempts: 10 },
});

/** Removes what has outlived its time, kind by kind; answers how many rows of each. Started by a schedule. */
export async function maintenance(): Promise<Record<string, number>> {
  const removed: Record<string, number> = {};
  for (const kind of await purgeableKinds()) removed[kind] = await purge(kind);
  return removed;
}

/**
 * Expires dead letters and deactivates signing keys past their grace period; answers how many of each. Started by a
 * schedule; `POST /api/v1/cron/webhook-maintenance` does the same without it.
 */
export async function webhookMaintenance(): Promise<{ expired: number; deactivated: number }> {
  return maintainWebhooks();
}
