import { momentOf } from '../contracts/common.ts';
import { CLOSURE_STATUSES, UPDATE_PRIORITIES } from '../contracts/work-items.ts';
import type { ListWorkItemsInput } from '../contracts/work-items.ts';

/** What a list is narrowed by, as SQL on `work_items w`. `put` adds a parameter and answers its place. */
export interface Filter {
  sql: (put: (value: unknown) => string) => string;
  /**
   * The ids of the items that match, from an index; for filters that may leave few items of many. With few enough the
   * list is made from them alone, otherwise `sql` is a condition like any other.
   */
  ids?: (put: (value: unknown) => string) => string;
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
export function countedFilters({ item_type, status, is_open, priority }: ListWorkItemsInput): Filter[] {
  return [
    ...given(item_type, (type) => ({ sql: (put) => `item_type = ${put(type)}` })),
    ...given(status, (value) => ({ sql: (put) => `status = ${put(value)}` })),
    ...given(is_open, (open) => ({ sql: () => `status ${open ? 'not in' : 'in'} ${ENDED}` })),
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
    ...given(input.assigned_to, assignedTo),
    ...given(input.contractor_id, workedOnBy),
    ...given(input.parent_id, childOf),
    ...given(input.project_id, childOf),
    ...span('w.created_at', input.created_from, input.created_to),
    ...span('w.updated_at', input.updated_since, undefined),
    ...span('w.due_date', input.due_from, input.due_to),
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
    ids: (put) => `select w.id from work_items w where w.client_id = $1 and w.deleted_at is null and ${sql(put)}`,
    ...(column === undefined ? {} : { column }),
  };
}

/** Items that another table names; of those ids the deleted items' are left out. */
function itemsIn(named: (put: (value: unknown) => string) => { table: string; where: string }): Filter {
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

/** The primary assignee is one of the assignees, but an index of its own finds the items without a look at each. */
function assignedTo(user: number): Filter {
  const primary = `work_items p where p.client_id = $1 and p.deleted_at is null and p.assigned_to =`;
  const named = `work_item_assignees n where n.client_id = $1 and n.user_id =`;
  return {
    sql: (put) => `exists (select from ${named} ${put(user)} and n.work_item_id = w.id)`,
    ids: (put) => {
      const place = put(user);
      return `select p.id from ${primary} ${place}
        union all
        select w.id from (
          select n.work_item_id from ${named} ${place}
            and not exists (select from ${primary} ${place} and p.id = n.work_item_id) offset 0) others
        join work_items w on w.client_id = $1 and w.id = others.work_item_id and w.deleted_at is null`;
    },
  };
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

function span(column: string, from: string | undefined, to: string | undefined): Filter[] {
  if (from === undefined && to === undefined) return [];
  return [
    itemsWhere(
      (put) =>
        [
          ...(from === undefined ? [] : [`${column} >= ${put(momentOf(from))}`]),
          ...(to === undefined
            ? []
            : [isDay(to) ? `${column} < ${put(dayAfter(to))}` : `${column} <= ${put(momentOf(to))}`]),
        ].join(' and '),
      column,
    ),
  ];
}

function isDay(text: string): boolean {
  return /^\d{4}-\d{2}-\d{2}$/.test(text);
}

function dayAfter(day: string): Date {
  return new Date(momentOf(day).getTime() + 86_400_000);
}
