import { audit } from '../audit/index.ts';
import type { Caller } from '../contracts/caller.ts';
import { isoMoment } from '../contracts/common.ts';
import { ApiError } from '../contracts/errors.ts';
import type { DeletedTimeEntry, TimeEntry, UpdateTimeEntryInput } from '../contracts/time-entries.ts';
import { checkActiveUsers } from '../people/index.ts';
import { statement } from '../../platform/db/statement.ts';
import type { TenantTransaction } from '../../platform/db/transaction.ts';
import { checkMayBook } from './may-book.ts';
import { correctedSpan } from './time-entries.rules.ts';
import { shown, viewOf } from './time-entry.view.ts';
import type { TimeEntryRow } from './time-entry.view.ts';

const FIELDS = [
  'user_id',
  'started_at',
  'ended_at',
  'duration_minutes',
  'description',
  'is_billable',
] as const satisfies readonly (keyof TimeEntry)[];

// The lock and what it is of travel together; the entry is read when the lock is held.
const LOCK = statement(`
  select w.work_item_id, t.deleted_at from work_item_time_entries t
  join work_items w on w.client_id = $1 and w.id = t.work_item_id and w.deleted_at is null
  where t.client_id = $1 and t.id = $2 for no key update of t`);
const GET = statement(shown('(select * from work_item_time_entries where client_id = $1 and id = $2)'));
const UPDATE = statement(`
  with made as (
    update work_item_time_entries set user_id = $3, started_at = $4, ended_at = $5, duration_minutes = $6,
      description = $7, is_billable = $8, updated_at = clock_timestamp()
    where client_id = $1 and id = $2 returning *)
  ${shown('made')}`);
const DELETE = statement(`
  update work_item_time_entries set deleted_at = clock_timestamp(), deleted_by = $3, updated_at = clock_timestamp()
  where client_id = $1 and id = $2 returning deleted_at`);

/** Sets the fields that are given. What changes nothing is success, and leaves no trace. */
export async function updateTimeEntry(
  tx: TenantTransaction,
  caller: Caller,
  input: UpdateTimeEntryInput,
  now: number,
): Promise<TimeEntry> {
  const { time_entry_id: id, user_id, description, is_billable } = input;
  if (Object.values(input).filter((value) => value !== undefined).length === 1) {
    throw ApiError.badRequest('body', 'must hold at least one field to change');
  }
  const { before, deletedAt } = await lock(tx, id);
  if (deletedAt !== null) throw ApiError.notFound('time entry', id);
  await checkMayBook(tx, caller, [before.user_id, user_id ?? before.user_id]);
  if (user_id !== undefined && user_id !== before.user_id) {
    await checkActiveUsers(tx, [{ id: user_id, field: 'user_id' }]);
  }
  const after: TimeEntry = {
    ...before,
    ...timeOf(before, input, now),
    user_id: user_id ?? before.user_id,
    description: description === undefined ? before.description : description,
    is_billable: is_billable ?? before.is_billable,
  };
  const changed = FIELDS.filter((field) => after[field] !== before[field]);
  if (changed.length === 0) return before;
  const [row] = await tx.query<TimeEntryRow>(UPDATE, [tx.clientId, id, ...FIELDS.map((field) => after[field])]);
  if (row === undefined) throw new Error('the locked time entry is gone');
  const changes = Object.fromEntries(changed.map((field) => [field, { from: before[field], to: after[field] }]));
  note(tx, caller, { action: 'work_item.time_changed', entry: before, details: { changes } });
  return viewOf(row, before.work_item_id);
}

/** It counts no more. A repetition changes nothing and succeeds. */
export async function deleteTimeEntry(tx: TenantTransaction, caller: Caller, id: number): Promise<DeletedTimeEntry> {
  const { before, deletedAt } = await lock(tx, id);
  await checkMayBook(tx, caller, [before.user_id]);
  if (deletedAt !== null) return { id, deleted: true, deleted_at: isoMoment(deletedAt) };
  const { actor } = caller;
  const [row] = await tx.query<{ deleted_at: Date }>(DELETE, [tx.clientId, id, `${actor.type}:${actor.id}`]);
  if (row === undefined) throw new Error('the locked time entry is gone');
  const { user_id, started_at, duration_minutes, is_billable } = before;
  const details = { user_id, started_at, duration_minutes, is_billable };
  note(tx, caller, { action: 'work_item.time_deleted', entry: before, details });
  return { id, deleted: true, deleted_at: isoMoment(row.deleted_at) };
}

async function lock(tx: TenantTransaction, id: number): Promise<{ before: TimeEntry; deletedAt: Date | null }> {
  const [[locked], [row]] = await Promise.all([
    tx.query<{ work_item_id: string; deleted_at: Date | null }>(LOCK, [tx.clientId, id]),
    tx.query<TimeEntryRow>(GET, [tx.clientId, id]),
  ]);
  if (locked === undefined || row === undefined) throw ApiError.notFound('time entry', id);
  return { before: viewOf(row, locked.work_item_id), deletedAt: locked.deleted_at };
}

function timeOf(
  { started_at, ended_at, duration_minutes: minutes }: TimeEntry,
  input: UpdateTimeEntryInput,
  now: number,
): Pick<TimeEntry, 'started_at' | 'ended_at' | 'duration_minutes'> {
  const before = { startedAt: new Date(started_at), endedAt: new Date(ended_at), minutes };
  const after = correctedSpan(before, input, now);
  return {
    started_at: isoMoment(after.startedAt),
    ended_at: isoMoment(after.endedAt),
    duration_minutes: after.minutes,
  };
}

interface Noted {
  action: string;
  entry: TimeEntry;
  details: Record<string, unknown>;
}

function note(tx: TenantTransaction, caller: Caller, { action, entry, details }: Noted): void {
  audit(tx, caller, {
    action,
    subjectType: 'work_item',
    subjectId: entry.work_item_id,
    details: { time_entry_id: entry.id, ...details },
  });
}
