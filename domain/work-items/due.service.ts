import { MAX_COUNTED, pageOf } from '../contracts/common.ts';
import type { Page } from '../contracts/common.ts';
import type { DueTask, EmployeeTasksInput } from '../contracts/employee-tasks.ts';
import { statement } from '../../platform/db/statement.ts';
import type { Statement } from '../../platform/db/statement.ts';
import type { TenantTransaction } from '../../platform/db/transaction.ts';
import { dueDayAt, isOverdue } from './due.rules.ts';
import { COLUMNS, viewOf } from './work-item.view.ts';
import type { WorkItemRow } from './work-item.view.ts';

// Word for word the condition of work_items_open_due_index, so that the planner sees that the index fits.
const OPEN = `deleted_at is null and assigned_to is not null and due_date is not null
  and status not in ('completed', 'closed', 'done', 'resolved', 'cancelled', 'canceled')`;
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

function idsIn(window: DueWindow, ofType: string): string {
  // An assignee that is not the primary one: the primary's items are found by the index on assigned_to alone.
  return `
    select id from work_items where client_id = $1 and assigned_to = $2 and ${OPEN} and ${WINDOWS[window]} ${ofType}
    union
    select i.id from work_item_assignees a
    join lateral (
      select id from work_items
      where client_id = $1 and id = a.work_item_id and deleted_at is null
        and status not in ('completed', 'closed', 'done', 'resolved', 'cancelled', 'canceled') and ${WINDOWS[window]} ${ofType}) i on true
    where a.client_id = $1 and a.user_id = $2`;
}

const pairs = new Map<string, { list: Statement; count: Statement }>();

function pairFor(window: DueWindow, isTyped: boolean): { list: Statement; count: Statement } {
  const key = `${window} ${String(isTyped)}`;
  let pair = pairs.get(key);
  if (pair === undefined) {
    const ids = idsIn(window, isTyped ? 'and item_type = $6' : '');
    const next = isTyped ? 7 : 6;
    pair = {
      list: statement(`
        select ${COLUMNS} from work_items where client_id = $1 and id = any(array(${ids}))
        order by due_date, id limit $${String(next)} offset $${String(next + 1)}`),
      count: statement(
        `select count(*) as total from (select from (${ids}) due limit ${String(MAX_COUNTED + 1)}) counted`,
      ),
    };
    pairs.set(key, pair);
  }
  return pair;
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
  const { list, count } = pairFor(window, item_type !== undefined);
  const values = [tx.clientId, userId, day.date, day.start, day.end, ...(item_type === undefined ? [] : [item_type])];
  const [rows, [counted]] = await Promise.all([
    tx.query<WorkItemRow>(list, [...values, limit, offset]),
    tx.query<{ total: number }>(count, values),
  ]);
  return {
    tasks: rows.map((row) => ({ ...viewOf(row), is_overdue: row.due_date !== null && isOverdue(row.due_date, day) })),
    pagination: pageOf(counted?.total ?? 0, { limit, offset }),
  };
}
