import { randomUUID } from 'node:crypto';
import { audit } from '../audit/index.ts';
import type { Caller } from '../contracts/caller.ts';
import { ApiError } from '../contracts/errors.ts';
import type {
  AddWorkItemToManagedTaskInput,
  CreateManagedTaskInput,
  ManagedTaskView,
} from '../contracts/managed-tasks.ts';
import type { WorkItem } from '../contracts/work-items.ts';
import { issuesOfUsers } from '../people/index.ts';
import { statement } from '../../platform/db/statement.ts';
import type { TenantTransaction } from '../../platform/db/transaction.ts';
import { findWorkItem } from './find.ts';
import { joinStructure } from './structure.ts';
import { COLUMNS, viewOf } from './work-item.view.ts';
import type { WorkItemRow } from './work-item.view.ts';
import { createWorkItem } from './work-items.service.ts';

const MODULE = 'operations';

const CLAIM = statement(`
  insert into managed_tasks (client_id, work_item_id, user_id, task_uuid) values ($1, $2, $3, $4)
  on conflict (work_item_id, user_id) do nothing returning task_uuid`);
const EXISTING = statement(`
  select ${COLUMNS} from work_items where client_id = $1 and deleted_at is null and work_item_id = (
    select task_uuid from managed_tasks where client_id = $1 and work_item_id = $2 and user_id = $3)`);

export function createManagedTask(
  tx: TenantTransaction,
  caller: Caller,
  input: CreateManagedTaskInput,
): Promise<WorkItem> {
  return createWorkItem(tx, caller, { ...input, item_type: 'task', module_context: input.module_context ?? MODULE });
}

/**
 * Gives a user a task about a work item, unless there is one already. Callers at the same moment meet at the unique key
 * of their claims: one makes the task, the others wait for it and get it.
 */
export async function addWorkItemToManagedTask(
  tx: TenantTransaction,
  caller: Caller,
  input: AddWorkItemToManagedTaskInput,
): Promise<ManagedTaskView> {
  const { work_item_id: ref, target_user_id: userId, ...task } = input;
  joinStructure(tx);
  const item = await findWorkItem(tx, ref);
  const uuid = randomUUID();
  const [[claimed], issues] = await Promise.all([
    tx.query(CLAIM, [tx.clientId, item.id, userId, uuid]),
    issuesOfUsers(tx, [{ id: userId, field: 'target_user_id' }]),
  ]);
  if (claimed === undefined) return { ...(await existingTask(tx, item.id, userId)), already_existed: true };
  if (issues.length > 0) throw ApiError.ofFields(issues);
  const { work_item_id, item_number, item_type, title } = item;
  const fields = {
    ...task,
    title: task.title ?? title,
    assigned_to: userId,
    parent_id: work_item_id,
    custom_fields: { ...task.custom_fields, reference: { work_item_id, item_number, item_type, title } },
  };
  const details = { task_id: uuid, target_user_id: userId };
  audit(tx, caller, {
    action: 'work_item.managed_task_added',
    subjectType: 'work_item',
    subjectId: work_item_id,
    details,
  });
  const created = await createWorkItem(
    tx,
    caller,
    { ...fields, item_type: 'task', module_context: task.module_context ?? MODULE },
    uuid,
  );
  return { ...created, already_existed: false };
}

async function existingTask(tx: TenantTransaction, itemId: number, userId: number): Promise<WorkItem> {
  const [row] = await tx.query<WorkItemRow>(EXISTING, [tx.clientId, itemId, userId]);
  if (row === undefined) throw new Error('a managed task has no work item');
  return viewOf(row);
}
