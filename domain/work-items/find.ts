import { ApiError } from '../contracts/errors.ts';
import type { WorkItem } from '../contracts/work-items.ts';
import { statement } from '../../platform/db/statement.ts';
import type { TenantTransaction } from '../../platform/db/transaction.ts';
import { COLUMNS, viewOf } from './work-item.view.ts';
import type { WorkItemRow } from './work-item.view.ts';

const FIND = statement(`
  select ${COLUMNS} from work_items where client_id = $1 and (work_item_id = $2 or id = $3) and deleted_at is null`);
const LOCK = statement(`
  select ${COLUMNS} from work_items where client_id = $1 and (work_item_id = $2 or id = $3) and deleted_at is null
  for no key update`);

/** The item that a reference (`WorkItemRef`) names; 404 for a deleted one and for another client's. */
export async function findWorkItem(tx: TenantTransaction, ref: string): Promise<WorkItem> {
  return only(await tx.query<WorkItemRow>(FIND, [tx.clientId, ...keysOf(ref)]), ref);
}

/** The same; undefined where there is none. */
export async function findWorkItemIfAny(tx: TenantTransaction, ref: string): Promise<WorkItem | undefined> {
  const [row] = await tx.query<WorkItemRow>(FIND, [tx.clientId, ...keysOf(ref)]);
  return row === undefined ? undefined : viewOf(row);
}

/** The item that a field names beside what the call is about: an unknown one is a wrong value of that field. */
export async function namedWorkItem(tx: TenantTransaction, field: string, ref: string): Promise<WorkItem> {
  const item = await findWorkItemIfAny(tx, ref);
  if (item === undefined) throw ApiError.invalid(field, `there is no work item ${ref}`);
  return item;
}

/** The same, and no other transaction changes it until this one ends. */
export async function lockWorkItem(tx: TenantTransaction, ref: string): Promise<WorkItem> {
  return only(await tx.query<WorkItemRow>(LOCK, [tx.clientId, ...keysOf(ref)]), ref);
}

/** The values for `work_item_id = $2 or id = $3`: one of them is null and matches nothing. */
export function keysOf(ref: string): [uuid: string | null, id: number | null] {
  return /^\d+$/.test(ref) ? [null, Number(ref)] : [ref, null];
}

function only(rows: readonly WorkItemRow[], ref: string): WorkItem {
  const [row] = rows;
  if (row === undefined) throw ApiError.notFound('work item', ref);
  return viewOf(row);
}
