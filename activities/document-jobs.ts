import { heartbeat } from '@temporalio/activity';
import { admitWaiting, restartStranded } from '../domain/vision/index.ts';
import type { SystemDatabase, TenantDatabase } from '../platform/db/database.ts';

export type DocumentJobActivities = ReturnType<typeof createDocumentJobActivities>;

/** The steps of `mendDocumentJobs`. Each may be cut off anywhere and run again. */
export function createDocumentJobActivities(deps: { system: SystemDatabase; tenants: TenantDatabase }) {
  return {
    /** Answers of how many clients jobs were waiting. */
    admitWaitingJobs(): Promise<number> {
      return admitWaiting(deps, heartbeat);
    },

    /** Answers for how many calls a workflow was asked. */
    restartStrandedCalls(): Promise<number> {
      return restartStranded(deps.system, heartbeat);
    },
  };
}
