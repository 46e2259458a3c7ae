import { isDateAlone, momentOf } from '../contracts/common.ts';
import { CLOSURE_STATUSES, UPDATE_PRIORITIES } from '../contracts/work-items.ts';
import type { ListWorkItemsInput } from '../contracts/work-items.ts';

/** Adds a parameter and answers its place. */
type Put = (value: unknown) => string;

/** What a list is narrowed by, as SQL on `work_items w`. */
export interface Filter {
  sql: (put: Put) => string;
  /**
   * The ids of the items that match, from an index; for filters that may leave few items of many. With few enough the
   * list is made from them alone, otherwise `sql` is a condition like any other.
   */
  ids?: (put: Put) => string;
  /** The same with the value of a column beside each id, where the index holds that too. */
  keyed?: { column: string; ids: (put: Put) => string };
  /** The same by the bare column, of which the planner knows how common each value is; `sql` finds the index. */
  plain?: Filter['sql'];
  /** Of a span: what it is a span of. */
  column?: string;
}

const ENDED = `(${CLOSURE_STATUSES.map((status) => `'${status}'`).join(', ')})`;

/** The index on it has the same words. */
const PRIORITY_RANK = `case priority when 'low' then 1 when 'medium' then 2 when 'high' then 3 when 'urgent' then 4
  when 'critical' then 5 end`;

/** The filters of which `work_item_counts` knows the totals, as conditions on either table. */
export function countedFilters(input: ListWorkItemsInput): Filter[] {
  const { item_type, status, is_open, priority } = input;
  return [
    ...given(item_type, (type) => ({ sql: (put) => `item_type = ${put(type)}` })),
    ...given(status, (value) => ({ sql: (put) => `status = ${put(value)}` })),
    ...given(isOpenWorkFound(input) ? undefined : is_open, (open) => ({ sql: () => isOpen(open) })),
    // By its rank, of which the items have an index; `null` is no priority.
    ...given(priority, (value) => ({
      ...itemsWhere((put) => `${PRIORITY_RANK} = ${put(UPDATE_PRIORITIES.indexOf(value) + 1)}`),
      plain: (put) => `priority = ${put(value)}`,
    })),
  ];
}

/** All other filters but the search, which is its own story. */
export function otherFilters(input: ListWorkItemsInput): Filter[] {
  const { contact_id, assigned_team } = input;
  return [
    ...given(contact_id, (contact) => itemsWhere((put) => `w.contact_id = ${put(contact)}`)),
    ...given(assigned_team, (team) => itemsWhere((put) => `w.assigned_team = ${put(team)}`)),
    ...given(input.assigned_to, input.is_open === true ? openWorkOf : assignedTo),
    ...given(input.contractor_id, workedOnBy),
    ...given(input.parent_id, childOf),
    ...given(input.project_id, childOf),
    ...span('w.created_at', input.created_from, input.created_to),
    ...span('w.updated_at', input.updated_since, undefined),
    ...dueWithin(input),
    ...span('w.scheduled_start', input.scheduled_from, input.scheduled_to),
  ];
}

/** The order, to the last tie; each has an index that begins with the client. */
export function orderOf(input: ListWorkItemsInput): string {
  const column = sortColumnOf(input);
  const columns = column === undefined ? ['w.id'] : [column, 'w.id'];
  return columns.map((each) => `${each} ${input.sort_order ?? 'desc'}`).join(', ');
}

/** What the list is sorted by; undefined where it is the id. */
export function sortColumnOf({
  sort = 'created_at',
  created_from,
  created_to,
}: ListWorkItemsInput): string | undefined {
  return {
    // Ids ascend with time. Within a span of time the index on the time itself leads to the first row at once.
    created_at: created_from === undefined && created_to === undefined ? undefined : 'w.created_at',
    updated_at: 'w.updated_at',
    due_date: 'w.due_date',
    priority: PRIORITY_RANK,
    title: 'lower(w.title)',
  }[sort];
}

/** The lexemes beside words that an item must have (migration work_item_search). */
export function facetsOf({ tags = [], module_context }: ListWorkItemsInput): string[] {
  return [...tags.map((tag) => `#${tag}`), ...(module_context === undefined ? [] : [`@${module_context}`])];
}

function given<T>(value: T | undefined, filter: (value: T) => Filter): Filter[] {
  return value === undefined ? [] : [filter(value)];
}

function itemsWhere(sql: Filter['sql'], column?: string): Filter {
  return {
    sql,
    ids: (put) => idsWhere(sql(put)),
    ...(column === undefined ? {} : { column }),
  };
}

function idsWhere(condition: string, columns = 'w.id'): string {
  return `select ${columns} from work_items w where w.client_id = $1 and w.deleted_at is null and ${condition}`;
}

/** Items that another table names; of those ids the deleted items' are left out. */
function itemsIn(named: (put: Put) => { table: string; where: string }): Filter {
  return {
    sql: (put) => {
      const { table, where } = named(put);
      return `exists (select from ${table} n where n.client_id = $1 and ${where} and n.work_item_id = w.id)`;
    },
    ids: (put) => {
      const { table, where } = named(put);
      return `select w.id from ${table} n join work_items w on w.client_id = $1 and w.id = n.work_item_id
        where n.client_id = $1 and ${where} and w.deleted_at is null`;
    },
  };
}

const assignedTo = (user: number): Filter => workOf(user, 'true');

function openWorkOf(user: number): Filter {
  const keyed = { column: 'w.due_date', ids: (put: Put): string => workIds(put(user), isOpen(true), 'id, due_date') };
  return { ...workOf(user, isOpen(true)), keyed };
}

/** Whether another filter finds the work that is open and no other, in an index that holds no other. */
function isOpenWorkFound({ is_open, assigned_to, due_from, due_to }: ListWorkItemsInput): boolean {
  return is_open === true && (assigned_to ?? due_from ?? due_to) !== undefined;
}

/** The condition on `status`; indexes on open work have the same words. */
export function isOpen(open: boolean): string {
  return `status ${open ? 'not in' : 'in'} ${ENDED}`;
}

function workOf(user: number, condition: string): Filter {
  return {
    sql: (put) => `exists (${NAMED} ${put(user)} and n.work_item_id = w.id) and ${condition}`,
    ids: (put) => workIds(put(user), condition, 'id'),
  };
}

const NAMED = `select n.work_item_id from work_item_assignees n where n.client_id = $1 and n.user_id =`;
const PRIMARY = `from work_items p where p.client_id = $1 and p.deleted_at is null and p.assigned_to =`;

/** The primary assignee is one of the assignees, but an index of its own finds the items without a look at each. */
function workIds(user: string, condition: string, columns: string): string {
  return `select ${columns} ${PRIMARY} ${user} and p.assigned_to is not null and ${condition}
    union all
    select ${columns} from (
      ${NAMED} ${user} and not exists (select ${PRIMARY} ${user} and p.id = n.work_item_id) offset 0) others
    join work_items w on w.client_id = $1 and w.id = others.work_item_id and w.deleted_at is null and ${condition}`;
}

function workedOnBy(contact: number): Filter {
  return itemsIn((put) => ({ table: 'work_item_contractors', where: `n.contact_id = ${put(contact)}` }));
}

function childOf(parent: string): Filter {
  // The parent's integer id, looked up once.
  return itemsIn((put) => ({
    table: 'work_item_relationships',
    where: `n.relationship_type = 'child_of' and n.related_id = (
      select p.id from work_items p where p.client_id = $1 and p.work_item_id = ${put(parent)} and p.deleted_at is null)`,
  }));
}

/** Indexes hold the due dates in their order, one of them those of open work. */
function dueWithin({ is_open, due_from, due_to }: ListWorkItemsInput): Filter[] {
  return span('w.due_date', due_from, due_to).map(({ sql, ...filter }) => {
    const where = (put: Put): string => (is_open === true ? `${sql(put)} and ${isOpen(true)}` : sql(put));
    const keyed = { column: 'w.due_date', ids: (put: Put) => idsWhere(where(put), 'w.id, w.due_date') };
    return { ...filter, sql: where, ids: (put) => idsWhere(where(put)), keyed };
  });
}

function span(column: string, from: string | undefined, to: string | undefined): Filter[] {
  if (from === undefined && to === undefined) return [];
  return [
    itemsWhere(
      (put) =>
        [
          ...(from === undefined ? [] : [`${column} >= ${put(momentOf(from))}`]),
          ...(to === undefined
            ? []
            : [isDateAlone(to) ? `${column} < ${put(dayAfter(to))}` : `${column} <= ${put(momentOf(to))}`]),
        ].join(' and '),
      column,
    ),
  ];
}

function dayAfter(day: string): Date {
  return new Date(momentOf(day).getTime() + 86_400_000);
}
