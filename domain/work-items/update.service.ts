import { isDeepStrictEqual } from 'node:util';
import type { Caller } from '../contracts/caller.ts';
import { isoMoment, momentOf } from '../contracts/common.ts';
import { ApiError } from '../contracts/errors.ts';
import type { CloseWorkItemInput, UpdateWorkItemInput, WorkItem, WorkItemWithPeople } from '../contracts/work-items.ts';
import { statement } from '../../platform/db/statement.ts';
import type { TenantTransaction } from '../../platform/db/transaction.ts';
import { checkRules } from './checks.ts';
import { aboutItem, lockWorkItem } from './find.ts';
import { recordAssigned, recordChange } from './record-change.ts';
import type { Changes } from './record-change.ts';
import { lookUp, refuseUnknown } from './references.ts';
import { isTerminal, reassigned } from './work-items.rules.ts';
import { COLUMNS, viewOf } from './work-item.view.ts';
import type { WorkItemRow } from './work-item.view.ts';

const PEOPLE = aboutItem(
  (isNamed) => `
  select array(select user_id from work_item_assignees a where a.client_id = $1 and a.work_item_id = w.id order by user_id) as assigned_users,
    array(select contact_id from work_item_contractors c where c.client_id = $1 and c.work_item_id = w.id order by contact_id) as assigned_contractors
  from work_items w where ${isNamed}`,
);

/** The fields an update may set, in the order of the statement's values. */
const FIELDS = [
  'title',
  'description',
  'item_subtype',
  'module_context',
  'status',
  'priority',
  'contact_id',
  'contact_name',
  'contact_email',
  'contact_phone',
  'contact_person_id',
  'contact_person',
  'location_id',
  'location_name',
  'location_address',
  'location_coordinates',
  'reporter_id',
  'reporter_name',
  'reporter_email',
  'reporter_phone',
  'assigned_to',
  'assigned_team',
  'scheduled_start',
  'scheduled_end',
  'start_date',
  'due_date',
  'estimated_hours',
  'tags',
  'custom_fields',
  'notes',
] as const satisfies readonly (keyof WorkItem)[];
const MOMENTS = ['scheduled_start', 'scheduled_end', 'start_date', 'due_date'] as const;
const PEOPLE_FIELDS = ['assigned_users', 'assigned_contractors'] as const;

// The time of the statement, not of the transaction, which may have begun before the change that it waited for.
const UPDATE = statement(`
  update work_items set ${FIELDS.map((field, index) => `${field} = $${String(index + 4)}`).join(', ')},
    completed_at = case when $3 then coalesce(completed_at, clock_timestamp()) end,
    closed_at = case when $3 then coalesce(closed_at, clock_timestamp()) end,
    updated_at = clock_timestamp()
  where client_id = $1 and id = $2 returning ${COLUMNS}`);
const REMOVE_ASSIGNEES = statement(`
  delete from work_item_assignees where client_id = $1 and work_item_id = $2 and user_id <> all($3::int[])`);
const ADD_ASSIGNEES = statement(`
  insert into work_item_assignees (client_id, work_item_id, user_id) select $1, $2, unnest($3::int[])
  on conflict do nothing`);
const REMOVE_CONTRACTORS = statement(`
  delete from work_item_contractors where client_id = $1 and work_item_id = $2 and contact_id <> all($3::int[])`);
const ADD_CONTRACTORS = statement(`
  insert into work_item_contractors (client_id, work_item_id, contact_id) select $1, $2, unnest($3::int[])
  on conflict do nothing`);

/**
 * Sets the given fields of an item. Its row is locked from the first read on, so of two updates at once neither undoes
 * the other's fields. An update that changes nothing leaves no trace.
 */
export async function updateWorkItem(
  tx: TenantTransaction,
  caller: Caller,
  { work_item_id: ref, ...input }: UpdateWorkItemInput,
): Promise<WorkItemWithPeople> {
  if (Object.values(input).every((value) => value === undefined)) {
    throw ApiError.badRequest('body', 'must hold at least one field to change');
  }
  const [before, known] = await Promise.all([lockWithPeople(tx, ref), lookUp(tx, input)]);
  refuseUnknown(input, known, before);
  const after = changed(before, input);
  const { scheduled_start, scheduled_end } = after;
  const isPlanGiven = input.scheduled_start !== undefined || input.scheduled_end !== undefined;
  checkRules({ ...input, item_type: before.item_type, ...(isPlanGiven ? { scheduled_start, scheduled_end } : {}) });
  return save(tx, caller, { before, after });
}

/** Ends an item. One that has this very status already is left as it is (decisions §5). */
export async function closeWorkItem(
  tx: TenantTransaction,
  caller: Caller,
  { work_item_id: ref, closure_status: status, completion_note: completionNote }: CloseWorkItemInput,
): Promise<WorkItemWithPeople> {
  const before = await lockWithPeople(tx, ref);
  return save(tx, caller, { before, after: { ...before, status }, completionNote });
}

async function lockWithPeople(tx: TenantTransaction, ref: string): Promise<WorkItemWithPeople> {
  // One packet; the people are read when the lock is held.
  const [item, [people]] = await Promise.all([
    lockWorkItem(tx, ref),
    tx.query<Pick<WorkItemWithPeople, (typeof PEOPLE_FIELDS)[number]>>(...PEOPLE(tx, ref)),
  ]);
  if (people === undefined) throw ApiError.notFound('work item', ref);
  return { ...item, ...people };
}

/** The item as it will be, in the form in which it will be read. */
function changed(before: WorkItemWithPeople, input: Omit<UpdateWorkItemInput, 'work_item_id'>): WorkItemWithPeople {
  const given = Object.fromEntries(Object.entries(input).filter(([, value]) => value !== undefined));
  for (const field of MOMENTS) {
    const text = input[field];
    if (typeof text === 'string') given[field] = isoMoment(momentOf(text));
  }
  // As the database keeps them, so that what is sent back as it was is no change.
  if (input.custom_fields !== undefined)
    given['custom_fields'] = JSON.parse(JSON.stringify(input.custom_fields)) as Record<string, unknown>;
  if (typeof input.estimated_hours === 'number')
    given['estimated_hours'] = Math.round(input.estimated_hours * 100) / 100;
  if (typeof input.assigned_team === 'string') given['assigned_team'] = input.assigned_team.toLowerCase();
  if (input.tags !== undefined) given['tags'] = [...new Set(input.tags)];
  if (input.assigned_contractors !== undefined) {
    given['assigned_contractors'] = [...new Set(input.assigned_contractors)].sort((a, b) => a - b);
  }
  return { ...before, ...given, ...reassigned(before, input) };
}

async function save(
  tx: TenantTransaction,
  caller: Caller,
  {
    before,
    after,
    completionNote,
  }: { before: WorkItemWithPeople; after: WorkItemWithPeople; completionNote?: string | undefined },
): Promise<WorkItemWithPeople> {
  const changes = changesBetween(before, after);
  if (Object.keys(changes).length === 0) return before;
  const values = [tx.clientId, before.id, isTerminal(after.status), ...FIELDS.map((field) => stored(after[field]))];
  const [row] = await tx.query<WorkItemRow>(UPDATE, values);
  if (row === undefined) throw new Error('update of work_items returned no row');
  if ('assigned_users' in changes) replace(tx, before.id, after.assigned_users, [REMOVE_ASSIGNEES, ADD_ASSIGNEES]);
  if ('assigned_contractors' in changes) {
    replace(tx, before.id, after.assigned_contractors, [REMOVE_CONTRACTORS, ADD_CONTRACTORS]);
  }
  const item = viewOf(row);
  recordChange(tx, caller, item, { changes, completionNote });
  recordAssigned(tx, item, { from: before.assigned_users, to: after.assigned_users });
  return { ...item, assigned_users: after.assigned_users, assigned_contractors: after.assigned_contractors };
}

function changesBetween(before: WorkItemWithPeople, after: WorkItemWithPeople): Changes {
  return Object.fromEntries(
    [...FIELDS, ...PEOPLE_FIELDS]
      .filter((field) => !isDeepStrictEqual(before[field], after[field]))
      .map((field) => [field, { from: before[field], to: after[field] }]),
  );
}

/** Arrays go as they are (text[]), objects as JSON. */
function stored(value: unknown): unknown {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? JSON.stringify(value) : value;
}

type Statement = ReturnType<typeof statement>;

function replace(
  tx: TenantTransaction,
  id: number,
  ids: readonly number[],
  [remove, add]: [Statement, Statement],
): void {
  tx.write(remove, [tx.clientId, id, ids]);
  if (ids.length > 0) tx.write(add, [tx.clientId, id, ids]);
}
