import { purgeDeliveries, purgeEvents, purgeRecoveries, purgeRevisions } from '../webhooks/index.ts';
import type { SystemDatabase } from '../../platform/db/database.ts';

/** One batch of a purge; `cursor` is where the next one begins, 0 at first. */
type Purge = (
  system: SystemDatabase,
  now: number,
  cursor: number,
) => Promise<{ removed: number; isDone: boolean; cursor?: number }>;

/** Deliveries before events and revisions: these go once no delivery is left that needs them. */
const PURGES = {
  deliveries: purgeDeliveries,
  events: purgeEvents,
  webhook_revisions: (system, now) => purgeRevisions(system, now),
  webhook_recoveries: (system, now) => purgeRecoveries(system, now),
} as const satisfies Record<string, Purge>;

export type StretchKind = keyof typeof PURGES;

export const PURGEABLE_STRETCHES = Object.keys(PURGES) as readonly StretchKind[];

/** Removes one batch of what has outlived its time, and says where the next begins. */
export async function purgeStretch(
  system: SystemDatabase,
  kind: StretchKind,
  { now, cursor }: { now: number; cursor: number },
): Promise<{ removed: number; isDone: boolean; cursor: number }> {
  const purge: Purge = PURGES[kind];
  return { cursor, ...(await purge(system, now, cursor)) };
}
