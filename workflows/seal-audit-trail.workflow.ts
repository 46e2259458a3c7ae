import { proxyActivities } from '@temporalio/workflow';
import type { AuditSealActivities } from '../activities/audit-seals.ts';

const { sealAuditEntries } = proxyActivities<AuditSealActivities>({
  startToCloseTimeout: '10 minutes',
  heartbeatTimeout: '30 seconds',
  retry: { initialInterval: '1 second', backoffCoefficient: 2, maximumInterval: '1 minute', maximumAttempts: 10 },
});

/** Chains the audit entries committed since the last run by hash; answers how many. Started by a schedule. */
export async function sealAuditTrail(): Promise<{ sealed: number }> {
  return { sealed: await sealAuditEntries() };
}
