import type { Page } from '../contracts/common.ts';
import type { GetSubordinatesInput, SubordinateView } from '../contracts/people.ts';
import { longStatement, statement } from '../../platform/db/statement.ts';
import type { TenantTransaction } from '../../platform/db/transaction.ts';
import { viewOf, COLUMNS } from './employee.view.ts';
import type { EmployeeRow } from './employee.view.ts';
import { findEmployee } from './employees.service.ts';

/** Deeper than any organisation, so that a tree of thousands of levels can't be asked for. */
const MAX_DEPTH = 1_000;

/**
 * The reporting tree, level by level, in one recursive statement: all reports of a level's people are one walk along the
 * index on managers, which for 100,000 people is several times faster than to look up each one's. Everyone has one
 * manager, so only the employee asked for can come up again, where rows written past the service form a circle.
 * As JSON text: the driver would read an array character by character.
 */
const TREE = longStatement(`
  with recursive tree as (
    select 0 as depth, array[$2::int] as ids, null::int[] as user_ids
    union all
    select t.depth + 1, reports.ids, reports.user_ids
    from tree t cross join lateral (
      select array_agg(e.id) as ids, array_agg(e.user_id) filter (where e.user_id is not null) as user_ids
      from employees e where e.client_id = $1 and e.manager_id = any(t.ids) and e.id <> $2) reports
    where t.depth < $3 and reports.ids is not null
  )
  select depth, array_to_json(ids)::text as ids, array_to_json(user_ids)::text as user_ids from tree where depth > 0`);
const READ = statement(`select ${COLUMNS} from employees where client_id = $1 and id = any($2::int[])`);

interface LevelRow extends Record<string, unknown> {
  depth: number;
  ids: string;
  user_ids: string | null;
}

interface Level {
  depth: number;
  ids: number[];
  userIds: number[];
}

export interface Subordinates {
  employees: SubordinateView[];
  scope: { employee_ids: number[]; user_ids: number[] };
  pagination: Page;
}

/** Who reports to an employee, nearest first: directly, or down the whole tree. */
export async function getSubordinates(tx: TenantTransaction, input: GetSubordinatesInput): Promise<Subordinates> {
  const { include_descendants, include_self, limit, offset } = input;
  const self = await findEmployee(tx, input);
  const rows = await tx.query<LevelRow>(TREE, [tx.clientId, self.id, include_descendants ? MAX_DEPTH : 1]);
  const levels = rows.map(levelOf).sort((a, b) => a.depth - b.depth);
  if (include_self) {
    levels.unshift({ depth: 0, ids: [self.id], userIds: self.user_id === null ? [] : [self.user_id] });
  }
  const employee_ids = joined(levels.map(({ ids }) => ids));
  return {
    employees: await readPlaces(tx, placesIn(levels, input)),
    scope: { employee_ids, user_ids: joined(levels.map(({ userIds }) => userIds)) },
    pagination: { total: employee_ids.length, limit, offset },
  };
}

/** A copy of memory, where `flatMap` would take each of a hundred thousand in hand. */
function joined(lists: readonly number[][]): number[] {
  return ([] as number[]).concat(...lists);
}

function levelOf({ depth, ids, user_ids }: LevelRow): Level {
  return { depth, ids: JSON.parse(ids) as number[], userIds: JSON.parse(user_ids ?? '[]') as number[] };
}

interface Place {
  id: number;
  depth: number;
}

/** The window's part of everyone in order; levels outside of it need no order. */
function placesIn(
  levels: readonly Level[],
  { limit, offset }: Pick<GetSubordinatesInput, 'limit' | 'offset'>,
): Place[] {
  const places: Place[] = [];
  let before = 0;
  for (const { depth, ids } of levels) {
    const [from, to] = [Math.max(offset - before, 0), Math.min(offset + limit - before, ids.length)];
    if (from < to) places.push(...Array.from(Int32Array.from(ids).sort().subarray(from, to), (id) => ({ id, depth })));
    before += ids.length;
  }
  return places;
}

async function readPlaces(tx: TenantTransaction, places: readonly Place[]): Promise<SubordinateView[]> {
  const rows = await tx.query<EmployeeRow>(READ, [tx.clientId, places.map(({ id }) => id)]);
  const byId = new Map(rows.map((row) => [row.id, row]));
  return places.flatMap(({ id, depth }) => {
    const row = byId.get(id);
    return row === undefined ? [] : [{ ...viewOf(row), depth }];
  });
}
