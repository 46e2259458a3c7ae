import { auditTrail } from '../audit/index.ts';
import { isoMoment } from '../contracts/common.ts';
import type { Page, Window } from '../contracts/common.ts';
import type { WorkItemActivity } from '../contracts/work-items.ts';
import type { TenantTransaction } from '../../platform/db/transaction.ts';
import { findWorkItem } from './find.ts';

/** What was done with an item, newest first: its audit entries, without the addresses of those who did it. */
export async function listActivity(
  tx: TenantTransaction,
  ref: string,
  window: Window,
): Promise<{ activity: WorkItemActivity[]; pagination: Page }> {
  const item = await findWorkItem(tx, ref);
  const { entries, pagination } = await auditTrail(tx, { type: 'work_item', id: item.work_item_id }, window);
  const activity = entries.map((entry) => ({
    id: entry.id,
    at: isoMoment(entry.at),
    action: entry.action,
    actor: { type: entry.actor_type, id: entry.actor_id, name: entry.actor_name },
    details: entry.details ?? {},
  }));
  return { activity, pagination };
}
