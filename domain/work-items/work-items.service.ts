import { randomUUID } from 'node:crypto';
import { audit } from '../audit/index.ts';
import type { Caller } from '../contracts/caller.ts';
import { momentOf } from '../contracts/common.ts';
import type { Page } from '../contracts/common.ts';
import { ApiError } from '../contracts/errors.ts';
import type { CreateWorkItemInput, ListWorkItemsInput, WorkItem } from '../contracts/work-items.ts';
import { recordEvent } from '../events/index.ts';
import { statement } from '../../platform/db/statement.ts';
import type { TenantTransaction } from '../../platform/db/transaction.ts';
import { keysOf } from './find.ts';
import { checkReferences } from './references.ts';
import type { References } from './references.ts';
import { defaultModule, defaultStatus, isTerminal, STATUSES } from './work-items.rules.ts';
import { COLUMNS, viewOf } from './work-item.view.ts';
import type { WorkItemRow } from './work-item.view.ts';

/** Largest `custom_fields` accepted, as JSON text. */
const MAX_CUSTOM_FIELDS_BYTES = 16_384;

const INSERT = statement(`
  insert into work_items (work_item_id, client_id, item_number, item_type, module_context, title, description, status,
    priority, contact_id, contact_name, contact_email, contact_phone, contact_person_id, contact_person, location_id,
    location_name, location_address, location_coordinates, assigned_to, assigned_team, scheduled_start, scheduled_end,
    start_date, due_date, estimated_hours, tags, custom_fields, notes, created_by_type, created_by_id,
    completed_at, closed_at)
  values ($1, $2, upper($3) || '-' || lpad(next_item_number($3)::text, 6, '0'), $3, $4, $5, $6, $7, $8, $9, $10, $11,
    $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22, $23, $24, $25, $26, $27, $28, $29, $30, $31, $31)
  returning ${COLUMNS}`);
const INSERT_ASSIGNEES = statement(`
  insert into work_item_assignees (client_id, work_item_id, user_id) select $1, $2, unnest($3::int[])`);
const INSERT_CONTRACTORS = statement(`
  insert into work_item_contractors (client_id, work_item_id, contact_id) select $1, $2, unnest($3::int[])`);
const INSERT_CHILD_OF = statement(`
  insert into work_item_relationships (client_id, work_item_id, related_id, relationship_type)
  select $1, $2, unnest($3::bigint[]), 'child_of'`);
const GET = statement(`
  select ${COLUMNS},
    array(select user_id from work_item_assignees a where a.work_item_id = w.id order by user_id) as assigned_users,
    array(select contact_id from work_item_contractors c where c.work_item_id = w.id order by contact_id) as assigned_contractors,
    (select count(*) from work_item_relationships r where r.work_item_id = w.id or r.related_id = w.id)::int as relationships_count
  from work_items w where client_id = $1 and (work_item_id = $2 or id = $3) and deleted_at is null`);
const LIST = statement(`
  select ${COLUMNS} from work_items
  where client_id = $1 and deleted_at is null and ($2::text is null or item_type = $2) and ($3::text is null or status = $3)
  order by id desc limit $4 offset $5`);
const COUNT = statement(`
  select count(*) as total from work_items
  where client_id = $1 and deleted_at is null and ($2::text is null or item_type = $2) and ($3::text is null or status = $3)`);

/** Creates a work item with its assignees, contractors and parents, its event and its audit entry. */
export async function createWorkItem(
  tx: TenantTransaction,
  caller: Caller,
  input: CreateWorkItemInput,
): Promise<WorkItem> {
  checkRules(input);
  const references = await checkReferences(tx, input);
  const [row] = await tx.query<WorkItemRow>(INSERT, insertValues(caller, input, references, new Date()));
  if (row === undefined) throw new Error('insert into work_items returned no row');
  writeRelations(tx, row.id, references);
  const item = viewOf(row);
  audit(tx, caller, { action: 'work_item.created', subjectType: 'work_item', subjectId: item.work_item_id });
  recordEvent(tx, { name: `${item.item_type}.created`, data: { work_item: item }, workItemId: item.id });
  return item;
}

/** One item with its people; 404 for a deleted one and for another client's. */
export async function getWorkItem(tx: TenantTransaction, ref: string): Promise<WorkItem & WorkItemPeople> {
  const [row] = await tx.query<WorkItemRow & WorkItemPeople>(GET, [tx.clientId, ...keysOf(ref)]);
  if (row === undefined) throw ApiError.notFound('work item', ref);
  const { assigned_users, assigned_contractors, relationships_count } = row;
  return { ...viewOf(row), assigned_users, assigned_contractors, relationships_count };
}

/** Newest first. */
export async function listWorkItems(
  tx: TenantTransaction,
  input: ListWorkItemsInput,
): Promise<{ items: WorkItem[]; pagination: Page }> {
  const filter = [tx.clientId, input.item_type ?? null, input.status ?? null];
  const [rows, [count]] = await Promise.all([
    tx.query<WorkItemRow>(LIST, [...filter, input.limit, input.offset]),
    tx.query<{ total: number }>(COUNT, filter),
  ]);
  return {
    items: rows.map(viewOf),
    pagination: { total: count?.total ?? 0, limit: input.limit, offset: input.offset },
  };
}

interface WorkItemPeople {
  assigned_users: number[];
  assigned_contractors: number[];
  relationships_count: number;
}

function checkRules(input: CreateWorkItemInput): void {
  const allowed = STATUSES[input.item_type];
  if (input.status !== undefined && !allowed.includes(input.status)) {
    throw ApiError.invalid('status', `a ${input.item_type} can be ${allowed.join(', ')}`);
  }
  const { scheduled_start: start, scheduled_end: end } = input;
  if (start !== undefined && end !== undefined && momentOf(end) < momentOf(start)) {
    throw ApiError.invalid('scheduled_end', 'must not be before scheduled_start');
  }
  if (Buffer.byteLength(JSON.stringify(input.custom_fields ?? {})) > MAX_CUSTOM_FIELDS_BYTES) {
    throw ApiError.invalid('custom_fields', `must not exceed ${String(MAX_CUSTOM_FIELDS_BYTES)} bytes of JSON`);
  }
}

function insertValues(caller: Caller, input: CreateWorkItemInput, references: References, now: Date): unknown[] {
  const status = input.status ?? defaultStatus(input.item_type);
  const moment = (text: string | undefined): Date | null => (text === undefined ? null : momentOf(text));
  const json = (value: unknown): string | null => (value === undefined ? null : JSON.stringify(value));
  return [
    randomUUID(),
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
    input.tags ?? [],
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
