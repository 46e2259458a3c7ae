import { heartbeat } from '@temporalio/activity';
import { removeUnclaimed } from '../domain/attachments/index.ts';
import { purgeExports } from '../domain/finance/index.ts';
import {
  DLQ_RETENTION_DAYS,
  maintainWebhooks,
  PURGEABLE_KINDS,
  PURGEABLE_STRETCHES,
  purgeBatch,
  purgeStretch,
} from '../domain/maintenance/index.ts';
import type { PurgeableKind, StretchKind } from '../domain/maintenance/index.ts';
import { purgeResults } from '../domain/vision/index.ts';
import type { BlobStore } from '../platform/blobs.ts';
import type { Clock } from '../platform/clock.ts';
import type { SystemDatabase } from '../platform/db/database.ts';

/** What lies in the blob store as well, or only there. */
const WITH_BLOBS = {
  unclaimed_blobs: removeUnclaimed,
  auditor_exports: purgeExports,
  document_ai_results: purgeResults,
} as const;
type KindWithBlobs = keyof typeof WITH_BLOBS;
type Kind = PurgeableKind | StretchKind | KindWithBlobs;

interface MaintenanceDeps {
  system: SystemDatabase;
  blobs: BlobStore;
  clock: Clock;
}

export type MaintenanceActivities = ReturnType<typeof createMaintenanceActivities>;

/** The steps of `maintenance` and `webhookMaintenance`. Each may be cut off anywhere and run again: what is gone stays gone. */
export function createMaintenanceActivities({ system, blobs, clock }: MaintenanceDeps) {
  return {
    /** Asked of the worker, not written into the workflow: a new kind changes no history. */
    purgeableKinds(): Promise<readonly Kind[]> {
      const withBlobs = Object.keys(WITH_BLOBS) as KindWithBlobs[];
      return Promise.resolve([...PURGEABLE_KINDS, ...PURGEABLE_STRETCHES, ...withBlobs]);
    },

    /** Removes everything of a kind that has outlived its time, in batches; answers how many rows. */
    async purge(kind: Kind): Promise<number> {
      let [total, cursor] = [0, 0];
      for (;;) {
        const now = clock.now();
        const batch: { removed: number; isDone: boolean; cursor?: number } = isWithBlobs(kind)
          ? await WITH_BLOBS[kind]({ system, blobs }, now)
          : isStretch(kind)
            ? await purgeStretch(system, kind, { now, cursor })
            : await purgeBatch(system, kind, now);
        total += batch.removed;
        if (batch.isDone) return total;
        cursor = batch.cursor ?? 0;
        heartbeat(total);
      }
    },

    /** Expires dead letters and deactivates signing keys past their grace period; answers how many of each. */
    async maintainWebhooks(): Promise<{ expired: number; deactivated: number }> {
      const goOn = (): boolean => {
        heartbeat();
        return true;
      };
      const work = { retentionDays: DLQ_RETENTION_DAYS, now: clock.now(), goOn };
      const { expired, deactivated } = await maintainWebhooks(system, work);
      return { expired, deactivated };
    },
  };
}

function isWithBlobs(kind: Kind): kind is KindWithBlobs {
  return kind in WITH_BLOBS;
}

function isStretch(kind: Kind): kind is StretchKind {
  return (PURGEABLE_STRETCHES as readonly string[]).includes(kind);
}
