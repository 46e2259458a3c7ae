import { heartbeat } from '@temporalio/activity';
import { removeUnclaimed } from '../domain/attachments/index.ts';
import { purgeExports } from '../domain/finance/index.ts';
import { PURGEABLE_KINDS, purgeBatch } from '../domain/maintenance/index.ts';
import type { PurgeableKind } from '../domain/maintenance/index.ts';
import type { BlobStore } from '../platform/blobs.ts';
import type { Clock } from '../platform/clock.ts';
import type { SystemDatabase } from '../platform/db/database.ts';

/** What lies in the blob store as well, or only there. */
const WITH_BLOBS = { unclaimed_blobs: removeUnclaimed, auditor_exports: purgeExports } as const;
type KindWithBlobs = keyof typeof WITH_BLOBS;
type Kind = PurgeableKind | KindWithBlobs;

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
      return Promise.resolve([...PURGEABLE_KINDS, ...(Object.keys(WITH_BLOBS) as KindWithBlobs[])]);
    },

    /** Removes everything of a kind that has outlived its time, in batches; answers how many rows. */
    async purge(kind: Kind): Promise<number> {
      let total = 0;
      for (;;) {
        const now = clock.now();
        const { removed, isDone } = isWithBlobs(kind)
          ? await WITH_BLOBS[kind]({ system, blobs }, now)
          : await purgeBatch(system, kind, now);
        total += removed;
        if (isDone) return total;
        heartbeat(total);
      }
    },
  };
}

function isWithBlobs(kind: Kind): kind is KindWithBlobs {
  return kind in WITH_BLOBS;
}
