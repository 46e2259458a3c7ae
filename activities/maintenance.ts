import { heartbeat } from '@temporalio/activity';
import { removeUnclaimed } from '../domain/attachments/index.ts';
import { PURGEABLE_KINDS, purgeBatch } from '../domain/maintenance/index.ts';
import type { PurgeableKind } from '../domain/maintenance/index.ts';
import type { BlobStore } from '../platform/blobs.ts';
import type { Clock } from '../platform/clock.ts';
import type { SystemDatabase } from '../platform/db/database.ts';

/** Blobs go from another place than rows do. */
const BLOBS = 'unclaimed_blobs';
type Kind = PurgeableKind | typeof BLOBS;

interface MaintenanceDeps {
  system: SystemDatabase;
  blobs: BlobStore;
  clock: Clock;
}

export type MaintenanceActivities = ReturnType<typeof createMaintenanceActivities>;

/** The steps of `maintenance`. Each may be cut off anywhere and run again: what is gone stays gone. */
export function createMaintenanceActivities({ system, blobs, clock }: MaintenanceDeps) {
  return {
    /** Asked of the worker, not written into the workflow: a new kind changes no history. */
    purgeableKinds(): Promise<readonly Kind[]> {
      return Promise.resolve([...PURGEABLE_KINDS, BLOBS]);
    },

    /** Removes everything of a kind that has outlived its time, in batches; answers how many rows. */
    async purge(kind: Kind): Promise<number> {
      let total = 0;
      for (;;) {
        const now = clock.now();
        const { removed, isDone } =
          kind === BLOBS ? await removeUnclaimed({ system, blobs }, now) : await purgeBatch(system, kind, now);
        total += removed;
        if (isDone) return total;
        heartbeat(total);
      }
    },
  };
}
