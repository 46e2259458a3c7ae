import { heartbeat } from '@temporalio/activity';
import { sealAuditEntries } from '../domain/audit/index.ts';
import type { SystemDatabase } from '../platform/db/database.ts';

export type AuditSealActivities = ReturnType<typeof createAuditSealActivities>;

/** The step of `sealAuditTrail`. It may be cut off anywhere and run again, and two may run at once. */
export function createAuditSealActivities({ system }: { system: SystemDatabase }) {
  return {
    /** Seals what all clients have committed since the last run; answers how many entries. */
    sealAuditEntries(): Promise<number> {
      return sealAuditEntries(system, heartbeat);
    },
  };
}
