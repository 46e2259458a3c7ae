import type { Page } from '../contracts/common.ts';
import type { GetSubordinatesInput, SubordinateView } from '../contracts/people.ts';
import { statement } from '../../platform/db/statement.ts';
import type { TenantTransaction } from '../../platform/db/transaction.ts';
import { viewOf, COLUMNS } from './employee.view.ts';
import type { EmployeeRow } from './employee.view.ts';
import { findEmployee } from './employees.service.ts';

/**
 * The reporting tree in one recursive statement. Only managers walk; everyone else is found by its manager, in one join.
 * `path` keeps the walk from going round in circles: rows written past the service may form one.
 */
const TREE = statement(`
  with recursive managers as materialized (
    select distinct manager_id as id from employees where client_id = $1 and manager_id is not null
  ), tree as (
    select id, 0 as depth, array[id] as path from employees where client_id = $1 and id = $2
    union all
    select e.id, t.depth + 1, t.path || e.id
    from tree t join employees e on e.client_id = $1 and e.manager_id = t.id join managers m on m.id = e.id
    where t.depth + 1 < $3 and e.id <> all (t.path)
  ), found as materialized (
    select id, user_id, depth from (
      select id, user_id, 0 as depth from employees where client_id = $1 and id = $2 and $4
      union all
      select e.id, e.user_id, t.depth + 1
      from tree t join employees e on e.client_id = $1 and e.manager_id = t.id where e.id <> all (t.path)) everyone
    order by depth, id
  )
  select
    (select coalesce(string_agg(id::text, ','), '') from found) as employee_ids,
    (select coalesce(string_agg(user_id::text, ','), '') from found) as user_ids,
    (select coalesce(json_agg(page), '[]') from (select id, depth from found limit $5 offset $6) page) as page`);
const READ = statement(`select ${COLUMNS} from employees where client_id = $1 and id = any($2::int[])`);

/** Deeper than any organisation, so that a tree of thousands of levels can't be asked for. */
const MAX_DEPTH = 1_000;

interface TreeRow extends Record<string, unknown> {
  employee_ids: string;
  user_ids: string;
  page: { id: number; depth: number }[];
}

export interface Subordinates {
  employees: SubordinateView[];
  scope: { employee_ids: number[]; user_ids: number[] };
  pagination: Page;
}

/** Who reports to an employee, nearest first: directly, or down the whole tree. */
export async function getSubordinates(tx: TenantTransaction, input: GetSubordinatesInput): Promise<Subordinates> {
  const { include_descendants, include_self, limit, offset } = input;
  const { id } = await findEmployee(tx, input);
  const [tree] = await tx.query<TreeRow>(TREE, [
    tx.clientId,
    id,
    include_descendants ? MAX_DEPTH : 1,
    include_self,
    limit,
    offset,
  ]);
  if (tree === undefined) throw new Error('an aggregate returned no row');
  const rows = await tx.query<EmployeeRow>(READ, [tx.clientId, tree.page.map((place) => place.id)]);
  const byId = new Map(rows.map((row) => [row.id, row]));
  const employee_ids = numbersOf(tree.employee_ids);
  return {
    employees: tree.page.flatMap(({ id: place, depth }) => {
      const row = byId.get(place);
      return row === undefined ? [] : [{ ...viewOf(row), depth }];
    }),
    scope: { employee_ids, user_ids: numbersOf(tree.user_ids) },
    pagination: { total: employee_ids.length, limit, offset },
  };
}

/** The database's own arrays are read character by character; a hundred thousand ids come faster as one text. */
function numbersOf(text: string): number[] {
  return text === '' ? [] : text.split(',').map(Number);
}
