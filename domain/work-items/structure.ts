import { statement } from '../../platform/db/statement.ts';
import type { TenantTransaction } from '../../platform/db/transaction.ts';

const EXCLUSIVE = statement(`select pg_advisory_xact_lock(hashtextextended('work_item_structure', $1))`);
const SHARED = statement(`select pg_advisory_xact_lock_shared(hashtextextended('work_item_structure', $1))`);

/**
 * Until this transaction ends nobody else changes how the client's items hang together: two additions can not make a
 * cycle that neither alone would, and a deletion misses no child. It travels with the next statement: no round trip.
 */
export function lockStructure(tx: TenantTransaction): void {
  tx.write(EXCLUSIVE, [tx.clientId]);
}

/** For what is made below an item, as a child or an appointment. It can close no cycle, so many are made at once; only deletions wait. */
export function joinStructure(tx: TenantTransaction): void {
  tx.write(SHARED, [tx.clientId]);
}
