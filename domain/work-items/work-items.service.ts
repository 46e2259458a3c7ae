import { randomUUID } from 'node:crypto';
import { audit } from '../audit/index.ts';
import type { Caller } from '../contracts/caller.ts';
import { momentOf } from '../contracts/common.ts';
import { ApiError } from '../contracts/errors.ts';
import type { CreateWorkItemInput, WorkItem, WorkItemDetail, WorkItemWithPeople } from '../contracts/work-items.ts';
import { recordEvent } from '../events/index.ts';
import { statement } from '../../platform/db/statement.ts';
import type { TenantTransaction } from '../../platform/db/transaction.ts';
import { checkRules } from './checks.ts';
import { aboutItem } from './find.ts';
import { recordAssigned } from './record-change.ts';
import { checkReferences } from './references.ts';
import type { References } from './references.ts';
import { defaultModule, defaultStatus, isTerminal } from './work-items.rules.ts';
import { COLUMNS, viewOf } from './work-item.view.ts';
import type { WorkItemRow } from './work-item.view.ts';

const INSERT = statement(`
  insert into work_items (work_item_id, client_id, item_number, item_type, module_context, title, description, status,
    priority, contact_id, contact_name, contact_email, contact_phone, contact_person_id, contact_person, location_id,
    location_name, location_address, location_coordinates, assigned_to, assigned_team, scheduled_start, scheduled_end,
    start_date, due_date, estimated_hours, tags, custom_fields, notes, created_by_type, created_by_id,
    completed_at, closed_at)
  values ($1, $2, upper($3) || '-' || to_char(next_item_number($3), 'FM999999999000000'), $3, $4, $5, $6, $7, $8, $9, $10, $11,
    $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22, $23, $24, $25, $26, $27, $28, $29, $30, $31, $31)
  returning ${COLUMNS}`);
const INSERT_ASSIGNEES = statement(`
  insert into work_item_assignees (client_id, work_item_id, user_id) select $1, $2, unnest($3::int[])`);
const INSERT_CONTRACTORS = statement(`
  insert into work_item_contractors (client_id, work_item_id, contact_id) select $1, $2, unnest($3::int[])`);
const INSERT_CHILD_OF = statement(`
  insert into work_item_relationships (client_id, work_item_id, related_id, relationship_type)
  select $1, $2, unnest($3::bigint[]), 'child_of'`);
const GET = aboutItem(
  (isNamed) => `
  select ${COLUMNS},
    array(select user_id from work_item_assignees a where a.client_id = $1 and a.work_item_id = w.id order by user_id) as assigned_users,
    array(select contact_id from work_item_contractors c where c.client_id = $1 and c.work_item_id = w.id order by contact_id) as assigned_contractors,
    (select count(*) from work_item_relationships r
      join work_items o on o.client_id = $1 and o.deleted_at is null
        and o.id = case when r.work_item_id = w.id then r.related_id else r.work_item_id end
      where r.client_id = $1 and (r.work_item_id = w.id or r.related_id = w.id))::int as relationships_count,
    (select count(*) from work_item_comments m where m.client_id = $1 and m.work_item_id = w.id and m.deleted_at is null)::int as comments_count
  from work_items w where ${isNamed} and deleted_at is null`,
);

/** Creates a work item with its assignees, contractors and parents, its events and its audit entry. */
export async function createWorkItem(
  tx: TenantTransaction,
  caller: Caller,
  input: CreateWorkItemInput,
  uuid?: string,
): Promise<WorkItem> {
  return (await create(tx, caller, input, uuid)).item;
}

/** The same, with who works on it, as reads of one item tell it. */
export async function createWorkItemWithPeople(
  tx: TenantTransaction,
  caller: Caller,
  input: CreateWorkItemInput,
): Promise<WorkItemWithPeople> {
  const { item, references } = await create(tx, caller, input);
  const { assignees, contractors } = references;
  const inOrder = (ids: readonly number[]): number[] => ids.toSorted((a, b) => a - b);
  return { ...item, assigned_users: inOrder(assignees), assigned_contractors: inOrder(contractors) };
}

async function create(
  tx: TenantTransaction,
  caller: Caller,
  input: CreateWorkItemInput,
  uuid: string = randomUUID(),
): Promise<{ item: WorkItem; references: References }> {
  checkRules(input);
  const references = await checkReferences(tx, input);
  const values = [uuid, ...insertValues(caller, input, references, new Date())];
  const [row] = await tx.query<WorkItemRow>(INSERT, values);
  if (row === undefined) throw new Error('insert into work_items returned no row');
  writeRelations(tx, row.id, references);
  const item = viewOf(row);
  audit(tx, caller, { action: 'work_item.created', subjectType: 'work_item', subjectId: item.work_item_id });
  recordEvent(tx, { name: `${item.item_type}.created`, data: { work_item: item }, workItemId: item.id });
  recordAssigned(tx, item, { from: [], to: references.assignees });
  return { item, references };
}

/** One item with its people; 404 for a deleted one and for another client's. */
export async function getWorkItem(tx: TenantTransaction, ref: string): Promise<WorkItemDetail> {
  const [row] = await tx.query<WorkItemRow & Detail>(...GET(tx, ref));
  if (row === undefined) throw ApiError.notFound('work item', ref);
  const { assigned_users, assigned_contractors, relationships_count, comments_count } = row;
  return { ...viewOf(row), assigned_users, assigned_contractors, relationships_count, comments_count };
}

type Detail = Pick<
  WorkItemDetail,
  'assigned_users' | 'assigned_contractors' | 'relationships_count' | 'comments_count'
>;

function insertValues(caller: Caller, input: CreateWorkItemInput, references: References, now: Date): unknown[] {
  const status = input.status ?? defaultStatus(input.item_type);
  const moment = (text: string | undefined): Date | null => (text === undefined ? null : momentOf(text));
  const json = (value: unknown): string | null => (value === undefined ? null : JSON.stringify(value));
  return [
    caller.clientId,
    input.item_type,
    input.module_context ?? defaultModule(input.item_type),
    input.title,
    input.description ?? null,
    status,
    input.priority,
    input.contact_id ?? null,
    input.contact_name ?? null,
    input.contact_email ?? null,
    input.contact_phone ?? null,
    input.contact_person_id ?? null,
    input.contact_person ?? null,
    input.location_id ?? null,
    input.location_name ?? null,
    input.location_address ?? null,
    json(input.location_coordinates),
    references.primaryAssignee,
    input.assigned_team ?? null,
    moment(input.scheduled_start),
    moment(input.scheduled_end),
    moment(input.start_date),
    moment(input.due_date),
    input.estimated_hours ?? null,
    [...new Set(input.tags)],
    JSON.stringify(input.custom_fields ?? {}),
    input.notes ?? null,
    caller.actor.type,
    caller.actor.id,
    isTerminal(status) ? now : null,
  ];
}

function writeRelations(tx: TenantTransaction, id: number, references: References): void {
  const { assignees, contractors, parents } = references;
  if (assignees.length > 0) tx.write(INSERT_ASSIGNEES, [tx.clientId, id, assignees]);
  if (contractors.length > 0) tx.write(INSERT_CONTRACTORS, [tx.clientId, id, contractors]);
  if (parents.length > 0) tx.write(INSERT_CHILD_OF, [tx.clientId, id, parents]);
}
