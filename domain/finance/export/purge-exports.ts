import type { BlobStore } from '../../../platform/blobs.ts';
import type { SystemDatabase } from '../../../platform/db/database.ts';
import { statement } from '../../../platform/db/statement.ts';

/** A bundle can be made again at any time; it holds the books, so it does not lie about for longer than it is of use. */
const KEPT_MS = 30 * 24 * 3_600_000;
const REMOVED_AT_ONCE = 20;

const LOCK_OLD = statement(`
  select export_id from auditor_exports where created_at < $1 order by created_at limit $2 for update skip locked`);
const REMOVE = statement(`delete from auditor_exports where export_id = any($1)`);

/** Where the bundle of an export lies, and its pages until then. */
export function exportFolder(exportId: string): string {
  return `auditor-exports/${exportId}`;
}

/** Removes a batch of exports that are over 30 days old, first their blobs, then the rows. `isDone`: no more are left. */
export async function purgeExports(
  { system, blobs }: { system: SystemDatabase; blobs: BlobStore },
  now: number,
): Promise<{ removed: number; isDone: boolean }> {
  const removed = await system.transaction(async (tx) => {
    const rows = await tx.query<{ export_id: string }>(LOCK_OLD, [new Date(now - KEPT_MS), REMOVED_AT_ONCE]);
    const ids = rows.map((row) => row.export_id);
    for (const id of ids) await blobs.deleteAll(exportFolder(id));
    if (ids.length > 0) tx.write(REMOVE, [ids]);
    return ids.length;
  });
  return { removed, isDone: removed < REMOVED_AT_ONCE };
}
