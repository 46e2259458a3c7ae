import { heartbeat } from '@temporalio/activity';
import { PURGEABLE_KINDS, purgeBatch } from '../domain/maintenance/index.ts';
import type { PurgeableKind } from '../domain/maintenance/index.ts';
import type { Clock } from '../platform/clock.ts';
import type { SystemDatabase } from '../platform/db/database.ts';

export type MaintenanceActivities = ReturnType<typeof createMaintenanceActivities>;

/** The steps of `maintenance`. Each may be cut off anywhere and run again: what is gone stays gone. */
export function createMaintenanceActivities({ system, clock }: { system: SystemDatabase; clock: Clock }) {
  return {
    /** Asked of the worker, not written into the workflow: a new kind changes no history. */
    purgeableKinds(): Promise<readonly PurgeableKind[]> {
      return Promise.resolve(PURGEABLE_KINDS);
    },

    /** Removes everything of a kind that has outlived its time, in batches; answers how many rows. */
    async purge(kind: PurgeableKind): Promise<number> {
      let total = 0;
      for (;;) {
        const { removed, isDone } = await purgeBatch(system, kind, clock.now());
        total += removed;
        if (isDone) return total;
        heartbeat(total);
      }
    },
  };
}
