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
  /** Whether `ids` are no others than of items that are not deleted. */
  isExact?: boolean;
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
      sql: (put) => `${PRIORITY_RANK} = ${put(UPDATE_PRIORITIES.indexOf(value) + 1)}`,
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
  const { sort = 'created_at', sort_order = 'desc', created_from, created_to } = input;
  const columns = {
    // Ids ascend with time. Within a span of time the index on the time itself leads to the first row at once.
    created_at: created_from === undefined && created_to === undefined ? [] : ['w.created_at'],
    updated_at: ['w.updated_at'],
    due_date: ['w.due_date'],
    priority: [PRIORITY_RANK],
    title: ['lower(w.title)'],
  }[sort];
  return [...columns, 'w.id'].map((column) => `${column} ${sort_order}`).join(', ');
}

/** The lexemes beside words that an item must have (migration work_item_search). */
export function facetsOf({ tags = [], module_context }: ListWorkItemsInput): string[] {
  return [...tags.map((tag) => `#${tag}`), ...(module_context === undefined ? [] : [`@${module_context}`])];
}

function given<T>(value: T | undefined, filter: (value: T) => Filter): Filter[] {
  return value === undefined ? [] : [filter(value)];
}

function itemsWhere(sql: Filter['sql']): Filter {
  return {
    sql,
    isExact: true,
    ids: (put) => `select w.id from work_items w where w.client_id = $1 and w.deleted_at is null and ${sql(put)}`,
  };
}

function assignedTo(user: number): Filter {
  const asOneOfSeveral = `select a.work_item_id from work_item_assignees a where a.client_id = $1 and a.user_id =`;
  return {
    sql: (put) => {
      const place = put(user);
      return `(w.assigned_to = ${place} or exists (${asOneOfSeveral} ${place} and a.work_item_id = w.id))`;
    },
    ids: (put) => {
      const place = put(user);
      return `select w.id from work_items w where w.client_id = $1 and w.deleted_at is null and w.assigned_to = ${place}
        union ${asOneOfSeveral} ${place}`;
    },
  };
}

function workedOnBy(contact: number): Filter {
  const items = 'select c.work_item_id from work_item_contractors c where c.client_id = $1 and c.contact_id =';
  return {
    sql: (put) => `exists (${items} ${put(contact)} and c.work_item_id = w.id)`,
    ids: (put) => `${items} ${put(contact)}`,
  };
}

function childOf(parent: string): Filter {
  const children = `select r.work_item_id from work_item_relationships r
    where r.client_id = $1 and r.relationship_type = 'child_of' and r.related_id =`;
  // The parent's integer id, looked up once.
  const parentId = (place: string): string =>
    `(select p.id from work_items p where p.client_id = $1 and p.work_item_id = ${place} and p.deleted_at is null)`;
  return {
    sql: (put) => `exists (${children} ${parentId(put(parent))} and r.work_item_id = w.id)`,
    ids: (put) => `${children} ${parentId(put(parent))}`,
  };
}

function span(column: string, from: string | undefined, to: string | undefined): Filter[] {
  if (from === undefined && to === undefined) return [];
  return [
    itemsWhere((put) =>
      [
        ...(from === undefined ? [] : [`${column} >= ${put(momentOf(from))}`]),
        ...(to === undefined
          ? []
          : [isDay(to) ? `${column} < ${put(dayAfter(to))}` : `${column} <= ${put(momentOf(to))}`]),
      ].join(' and '),
    ),
  ];
}

function isDay(text: string): boolean {
  return /^\d{4}-\d{2}-\d{2}$/.test(text);
}

function dayAfter(day: string): Date {
  return new Date(momentOf(day).getTime() + 86_400_000);
}
