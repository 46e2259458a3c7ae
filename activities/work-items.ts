import { heartbeat } from '@temporalio/activity';
import { foldWorkItems } from '../domain/work-items/index.ts';
import type { SystemDatabase } from '../platform/db/database.ts';

export type WorkItemActivities = ReturnType<typeof createWorkItemActivities>;

/** The step of `foldWorkItems`. It may be cut off anywhere and run again, and two may run at once. */
export function createWorkItemActivities({ system }: { system: SystemDatabase }) {
  return {
    foldNewWorkItems(): Promise<number> {
      return foldWorkItems(system, heartbeat);
    },
  };
}
