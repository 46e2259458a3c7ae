import { audit } from '../audit/index.ts';
import type { Caller } from '../contracts/caller.ts';
import type { WorkItem } from '../contracts/work-items.ts';
import { recordEvent } from '../events/index.ts';
import type { TenantTransaction } from '../../platform/db/transaction.ts';
import { isCompleted } from './work-items.rules.ts';

export interface Change {
  from: unknown;
  to: unknown;
}
/** What a change did, by field. */
export type Changes = Readonly<Record<string, Change>>;

/**
 * The traces of a change: `<type>.updated` always, `<type>.status_changed` and `<type>.completed` where that is what it
 * did; and in the activity log one entry for the status, with the note, and one for all other fields.
 */
export function recordChange(
  tx: TenantTransaction,
  caller: Caller,
  item: WorkItem,
  { changes, completionNote }: { changes: Changes; completionNote?: string | undefined },
): void {
  const { status, ...others } = changes;
  const log = (action: string, details: Record<string, unknown>): void => {
    audit(tx, caller, { action, subjectType: 'work_item', subjectId: item.work_item_id, details });
  };
  const emit = (move: string, of: Changes): void => {
    const name = `${item.item_type}.${move}`;
    recordEvent(tx, { name, data: { work_item: item, changes: of }, workItemId: item.id });
  };
  if (Object.keys(others).length > 0) log('work_item.updated', { changes: others });
  emit('updated', changes);
  if (status === undefined) return;
  const note = completionNote === undefined ? {} : { completion_note: completionNote };
  log('work_item.status_changed', { changes: { status }, ...note });
  emit('status_changed', { status });
  if (isCompleted(item.status) && !isCompleted(String(status.from))) emit('completed', { status });
}

/** Tells those whom it may concern that users have joined an item. */
export function recordAssigned(
  tx: TenantTransaction,
  item: WorkItem,
  users: { from: readonly number[]; to: readonly number[] },
): void {
  if (users.to.every((id) => users.from.includes(id))) return;
  const data = { work_item: item, changes: { assigned_users: users } };
  recordEvent(tx, { name: 'work_item.assigned', data, workItemId: item.id });
}
