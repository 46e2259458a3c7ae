import { ApiError } from '../contracts/errors.ts';
import type { WorkItem } from '../contracts/work-items.ts';
import { statement } from '../../platform/db/statement.ts';
import type { Statement } from '../../platform/db/statement.ts';
import type { TenantTransaction } from '../../platform/db/transaction.ts';
import { COLUMNS, viewOf } from './work-item.view.ts';
import type { WorkItemRow } from './work-item.view.ts';

type NamedBy = 'uuid' | 'id' | 'number';

/**
 * A statement about the item that a reference (`WorkItemRef`) names, with its values: $1 is the client. There is one for
 * each way to name an item, so that each finds it by its one index. `isNamed` is the condition on `work_items`.
 */
export function aboutItem(
  sql: (isNamed: string) => string,
): (tx: TenantTransaction, ref: string) => [Statement, unknown[]] {
  const statements: Record<NamedBy, Statement> = {
    uuid: statement(sql('client_id = $1 and work_item_id = $2')),
    id: statement(sql('client_id = $1 and id = $2')),
    number: statement(sql('client_id = $1 and item_type = $2 and item_number = $3')),
  };
  return (tx, ref) => {
    const [by, ...names] = namesOf(ref);
    return [statements[by], [tx.clientId, ...names]];
  };
}

const FIND = aboutItem((isNamed) => `select ${COLUMNS} from work_items where ${isNamed} and deleted_at is null`);
const ID = aboutItem((isNamed) => `select id from work_items where ${isNamed}`);
const LOCK = aboutItem(
  (isNamed) => `select ${COLUMNS} from work_items where ${isNamed} and deleted_at is null for no key update`,
);

/** The item that a reference names; 404 for a deleted one and for another client's. */
export async function findWorkItem(tx: TenantTransaction, ref: string): Promise<WorkItem> {
  return only(await tx.query<WorkItemRow>(...FIND(tx, ref)), ref);
}

/** The same; undefined where there is none. */
export async function findWorkItemIfAny(tx: TenantTransaction, ref: string): Promise<WorkItem | undefined> {
  const [row] = await tx.query<WorkItemRow>(...FIND(tx, ref));
  return row === undefined ? undefined : viewOf(row);
}

/** The integer id of an item, of a deleted one too; undefined where there never was such an item. */
export async function idOfWorkItem(tx: TenantTransaction, ref: string): Promise<number | undefined> {
  const [row] = await tx.query<{ id: number }>(...ID(tx, ref));
  return row?.id;
}

/** The item that a field names beside what the call is about: an unknown one is a wrong value of that field. */
export async function namedWorkItem(tx: TenantTransaction, field: string, ref: string): Promise<WorkItem> {
  const item = await findWorkItemIfAny(tx, ref);
  if (item === undefined) throw ApiError.invalid(field, `there is no work item ${ref}`);
  return item;
}

/** The same, and no other transaction changes it until this one ends. */
export async function lockWorkItem(tx: TenantTransaction, ref: string): Promise<WorkItem> {
  return only(await tx.query<WorkItemRow>(...LOCK(tx, ref)), ref);
}

/** `JOB-000012` is found by its type and number; so is `job-12`, as people write it. */
function namesOf(ref: string): [NamedBy, ...unknown[]] {
  if (/^\d+$/.test(ref)) return ['id', Number(ref)];
  const [, type, digits] = /^([a-z]+)-0*(\d+)$/i.exec(ref) ?? [];
  if (type === undefined || digits === undefined) return ['uuid', ref];
  return ['number', type.toLowerCase(), `${type.toUpperCase()}-${digits.padStart(6, '0')}`];
}

function only(rows: readonly WorkItemRow[], ref: string): WorkItem {
  const [row] = rows;
  if (row === undefined) throw ApiError.notFound('work item', ref);
  return viewOf(row);
}
