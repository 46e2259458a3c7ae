import { MAX_COUNTED, pageOf } from '../contracts/common.ts';
import type { Page } from '../contracts/common.ts';
import type { DueTask, EmployeeTasksInput } from '../contracts/employee-tasks.ts';
import { statement } from '../../platform/db/statement.ts';
import type { Statement } from '../../platform/db/statement.ts';
import type { TenantTransaction } from '../../platform/db/transaction.ts';
import { dueDayAt, isOverdue } from './due.rules.ts';
import { numbersOf, readItems } from './list.queries.ts';
import { isOpen } from './list.rules.ts';
import { viewOf } from './work-item.view.ts';

const OPEN = `deleted_at is null and ${isOpen(true)}`;
const IS_DATE_ALONE = `date_trunc('day', due_date, 'UTC') = due_date`;

// $1 client, $2 user; of the client's day $3 its date at midnight UTC, $4 its start, $5 its end.
const BEFORE_THE_DAY = `due_date < greatest($3::timestamptz, $4::timestamptz)
  and due_date < case when ${IS_DATE_ALONE} then $3::timestamptz else $4::timestamptz end
  and $5::timestamptz is not null`;
const UNTIL_ITS_END = `due_date < greatest($3::timestamptz + interval '1 day', $5::timestamptz)
  and due_date < case when ${IS_DATE_ALONE} then $3::timestamptz + interval '1 day' else $5::timestamptz end
  and $4::timestamptz is not null`;
const ON_THE_DAY = `due_date >= least($3::timestamptz, $4::timestamptz)
  and due_date >= case when ${IS_DATE_ALONE} then $3::timestamptz else $4::timestamptz end and ${UNTIL_ITS_END}`;

const WINDOWS = { due: ON_THE_DAY, due_or_overdue: UNTIL_ITS_END, overdue: BEFORE_THE_DAY };
export type DueWindow = keyof typeof WINDOWS;

// Word for word the condition of work_items_open_due_index, so that the planner sees that the index fits.
const OF_PRIMARY = `client_id = $1 and assigned_to = $2 and assigned_to is not null and due_date is not null and ${OPEN}`;

/**
 * The primary assignee is one of the assignees, but for those an index has the due dates, in order. Only the items of the
 * others are looked up one by one, in an index too.
 */
function idsIn(window: DueWindow, ofType: string): string {
  return `
    select id, due_date from work_items where ${OF_PRIMARY} and ${WINDOWS[window]} ${ofType}
    union all
    select i.id, i.due_date from (
      select a.work_item_id from work_item_assignees a
      where a.client_id = $1 and a.user_id = $2 and not exists (
        select from work_items p
        where p.client_id = $1 and p.assigned_to = $2 and p.deleted_at is null and p.id = a.work_item_id) offset 0) others
    join lateral (
      select id, due_date from work_items
      where client_id = $1 and id = others.work_item_id and ${OPEN} and ${WINDOWS[window]} ${ofType} offset 0) i on true`;
}

const statements = new Map<string, Statement>();

/** How many there are, and the ids of the window. */
function statementFor(window: DueWindow, isTyped: boolean): Statement {
  const key = `${window} ${String(isTyped)}`;
  let known = statements.get(key);
  if (known === undefined) {
    const [ids, next] = [idsIn(window, isTyped ? 'and item_type = $6' : ''), isTyped ? 7 : 6];
    known = statement(`
      with due as materialized (select id, due_date from (${ids}) all_of_them limit ${String(MAX_COUNTED + 1)})
      select (select count(*) from due) as total, (
        select string_agg(page.id::text, ',') from (
          select id from due order by due_date, id limit $${String(next)} offset $${String(next + 1)}) page) as ids`);
    statements.set(key, known);
  }
  return known;
}

export interface Workday {
  now: number;
  /** The client's. */
  timezone: string;
}

/** Open work of a user, as primary assignee or one of several, the longest due first. */
export async function listDueTasks(
  tx: TenantTransaction,
  window: DueWindow,
  { userId, input, workday }: { userId: number | null; input: EmployeeTasksInput; workday: Workday },
): Promise<{ tasks: DueTask[]; pagination: Page }> {
  const { item_type, limit, offset } = input;
  // Work is assigned to users: an employee who isn't one has none.
  if (userId === null) return { tasks: [], pagination: { total: 0, limit, offset } };
  const day = dueDayAt(workday.now, workday.timezone);
  const values = [tx.clientId, userId, day.date, day.start, day.end, ...(item_type === undefined ? [] : [item_type])];
  const [due] = await tx.query<{ total: number; ids: string | null }>(statementFor(window, item_type !== undefined), [
    ...values,
    limit,
    offset,
  ]);
  const rows = await readItems(tx, numbersOf(due?.ids));
  return {
    tasks: rows.map((row) => ({ ...viewOf(row), is_overdue: row.due_date !== null && isOverdue(row.due_date, day) })),
    pagination: pageOf(due?.total ?? 0, { limit, offset }),
  };
}
