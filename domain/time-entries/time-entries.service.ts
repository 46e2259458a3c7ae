import { audit } from '../audit/index.ts';
import type { Caller } from '../contracts/caller.ts';
import type { Page } from '../contracts/common.ts';
import type { CreateTimeEntryInput, ListTimeEntriesInput, TimeEntry } from '../contracts/time-entries.ts';
import { checkActiveUsers } from '../people/index.ts';
import { findWorkItem } from '../work-items/index.ts';
import { statement } from '../../platform/db/statement.ts';
import type { TenantTransaction } from '../../platform/db/transaction.ts';
import { checkMayBook } from './may-book.ts';
import { spanOf } from './time-entries.rules.ts';
import { shown, viewOf } from './time-entry.view.ts';
import type { TimeEntryRow } from './time-entry.view.ts';

const INSERT = statement(`
  with made as (
    insert into work_item_time_entries (client_id, work_item_id, user_id, started_at, ended_at, duration_minutes,
      description, is_billable, created_by_type, created_by_id)
    values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) returning *)
  ${shown('made')}`);
const LIST = statement(
  shown(`(
    select * from work_item_time_entries where client_id = $1 and work_item_id = $2 and deleted_at is null
    order by id desc limit $3 offset $4)`),
);
const SUM = statement(`
  select count(*) as total, coalesce(sum(duration_minutes), 0)::int as minutes,
    coalesce(sum(duration_minutes) filter (where is_billable), 0)::int as billable
  from work_item_time_entries where client_id = $1 and work_item_id = $2 and deleted_at is null`);

/** Notes time that somebody spent on a work item. */
export async function createTimeEntry(
  tx: TenantTransaction,
  caller: Caller,
  input: CreateTimeEntryInput,
  now: number,
): Promise<TimeEntry> {
  const { startedAt, endedAt, minutes } = spanOf(input, now);
  const userId = input.user_id ?? caller.userId;
  const [item] = await Promise.all([
    findWorkItem(tx, input.work_item_id),
    checkActiveUsers(tx, input.user_id === undefined ? [] : [{ id: input.user_id, field: 'user_id' }]),
    checkMayBook(tx, caller, [userId]),
  ]);
  const [row] = await tx.query<TimeEntryRow>(INSERT, [
    tx.clientId,
    item.id,
    userId,
    startedAt,
    endedAt,
    minutes,
    input.description ?? null,
    input.is_billable,
    caller.actor.type,
    caller.actor.id,
  ]);
  if (row === undefined) throw new Error('insert into work_item_time_entries returned no row');
  audit(tx, caller, {
    action: 'work_item.time_logged',
    subjectType: 'work_item',
    subjectId: item.work_item_id,
    details: { time_entry_id: row.id, user_id: userId, duration_minutes: minutes, is_billable: input.is_billable },
  });
  return viewOf(row, item.work_item_id);
}

export interface TimeEntries {
  time_entries: TimeEntry[];
  total_minutes: number;
  billable_minutes: number;
}

/** Newest first, with the sum of all. */
export async function listTimeEntries(
  tx: TenantTransaction,
  { work_item_id, limit, offset }: ListTimeEntriesInput,
): Promise<{ entries: TimeEntries; pagination: Page }> {
  const item = await findWorkItem(tx, work_item_id);
  const [rows, [sum]] = await Promise.all([
    tx.query<TimeEntryRow>(LIST, [tx.clientId, item.id, limit, offset]),
    tx.query<{ total: number; minutes: number; billable: number }>(SUM, [tx.clientId, item.id]),
  ]);
  return {
    entries: {
      time_entries: rows.map((row) => viewOf(row, item.work_item_id)),
      total_minutes: sum?.minutes ?? 0,
      billable_minutes: sum?.billable ?? 0,
    },
    pagination: { total: sum?.total ?? 0, limit, offset },
  };
}
