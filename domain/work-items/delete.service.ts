import { auditMany } from '../audit/index.ts';
import type { Caller } from '../contracts/caller.ts';
import { isoMoment } from '../contracts/common.ts';
import { ApiError } from '../contracts/errors.ts';
import type { DeletedWorkItem, WorkItem } from '../contracts/work-items.ts';
import { recordEvents } from '../events/index.ts';
import { statement } from '../../platform/db/statement.ts';
import type { TenantTransaction } from '../../platform/db/transaction.ts';
import { aboutItem } from './find.ts';
import { lockStructure } from './structure.ts';
import { COLUMNS, viewOf } from './work-item.view.ts';
import type { WorkItemRow } from './work-item.view.ts';

const FIND = aboutItem((isNamed) => `select id, work_item_id, deleted_at from work_items where ${isNamed}`);
const DELETE = statement(`
  with recursive doomed(id) as (
    select $2::bigint
    union
    select r.work_item_id from doomed d
    join work_item_relationships r on r.related_id = d.id and r.relationship_type = 'child_of' and r.client_id = $1)
  update work_items w set deleted_at = clock_timestamp(), deleted_by = $3, updated_at = clock_timestamp()
  from doomed d where w.id = d.id and w.client_id = $1 and w.deleted_at is null returning ${columnsOf('w')}, w.deleted_at`);
// The activity of an appointment is noted like that of its item; one round trip whatever their number.
const DELETE_APPOINTMENTS = statement(`
  with gone as (
    update appointments set deleted_at = clock_timestamp(), deleted_by = $3, updated_at = clock_timestamp()
    where client_id = $1 and work_item_id = any($2::bigint[]) and deleted_at is null returning id)
  insert into audit_entries (client_id, actor_type, actor_id, action, subject_type, subject_id, address, details)
  select $1, $4, $5, 'appointment.deleted', 'appointment', id::text, $6, $7::jsonb from gone order by id`);
const FORGET_MANAGED = statement(`
  delete from managed_tasks where client_id = $1 and (work_item_id = any($2::bigint[]) or task_uuid = any($3::uuid[]))`);

/** Deletions noted by one statement: a project may hold ten thousands of tasks. */
const AT_ONCE = 500;

interface FoundRow extends Record<string, unknown> {
  id: number;
  work_item_id: string;
  deleted_at: Date | null;
}

/**
 * Deletes an item softly, and with it all that is `child_of` it, however deep, and their appointments. A repetition
 * changes nothing and succeeds (spec, "States and transitions").
 */
export async function deleteWorkItem(tx: TenantTransaction, caller: Caller, ref: string): Promise<DeletedWorkItem> {
  lockStructure(tx);
  const [found] = await tx.query<FoundRow>(...FIND(tx, ref));
  if (found === undefined) throw ApiError.notFound('work item', ref);
  const answer = (at: Date, deleted_count: number): DeletedWorkItem => ({
    id: found.id,
    work_item_id: found.work_item_id,
    deleted: true,
    deleted_at: isoMoment(at),
    deleted_count,
  });
  if (found.deleted_at !== null) return answer(found.deleted_at, 0);
  const rows = await tx.query<WorkItemRow & { deleted_at: Date }>(DELETE, [tx.clientId, found.id, nameOf(caller)]);
  const root = rows.find((row) => row.id === found.id);
  if (root === undefined) throw new Error('update of work_items returned no row');
  removeDependents(tx, caller, { rows, rootUuid: found.work_item_id });
  for (let done = 0; done < rows.length; done += AT_ONCE) {
    await recordDeletions(tx, caller, rows.slice(done, done + AT_ONCE).map(viewOf), found.work_item_id);
  }
  return answer(root.deleted_at, rows.length);
}

function removeDependents(
  tx: TenantTransaction,
  caller: Caller,
  { rows, rootUuid }: { rows: readonly WorkItemRow[]; rootUuid: string },
): void {
  const ids = rows.map((row) => row.id);
  const { actor, address } = caller;
  const details = JSON.stringify({ deleted_with: rootUuid });
  tx.write(DELETE_APPOINTMENTS, [tx.clientId, ids, nameOf(caller), actor.type, actor.id, address, details]);
  tx.write(FORGET_MANAGED, [tx.clientId, ids, rows.map((row) => row.work_item_id)]);
}

async function recordDeletions(
  tx: TenantTransaction,
  caller: Caller,
  items: readonly WorkItem[],
  rootUuid: string,
): Promise<void> {
  const subjects = items.map(({ work_item_id: id }) =>
    id === rootUuid ? { id } : { id, details: { deleted_with: rootUuid } },
  );
  await auditMany(tx, caller, { action: 'work_item.deleted', subjectType: 'work_item', subjects });
  const events = items.map((item) => ({
    name: `${item.item_type}.deleted`,
    data: { work_item: item },
    workItemId: item.id,
  }));
  await recordEvents(tx, events);
}

function nameOf({ actor }: Caller): string {
  return `${actor.type}:${actor.id}`;
}

function columnsOf(alias: string): string {
  return COLUMNS.split(',')
    .map((column) => `${alias}.${column.trim()}`)
    .join(', ');
}
