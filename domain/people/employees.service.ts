import { patternsOf } from '../contacts/index.ts';
import { pageOf, MAX_COUNTED } from '../contracts/common.ts';
import type { Page } from '../contracts/common.ts';
import { ApiError } from '../contracts/errors.ts';
import type { EmployeeView, GetEmployeesInput } from '../contracts/people.ts';
import { longStatement, statement } from '../../platform/db/statement.ts';
import type { Statement } from '../../platform/db/statement.ts';
import type { TenantTransaction } from '../../platform/db/transaction.ts';
import { COLUMNS, viewOf } from './employee.view.ts';
import type { EmployeeRow } from './employee.view.ts';
import { dayIn } from './filters.rules.ts';

const HAS_LEFT = 'coalesce(terminated_on <= $2::date, false)';
// Word for word the condition of employees_away_index, so that the planner sees that the index fits.
const IS_AWAY = '(not is_active or terminated_on is not null)';

interface Found {
  employees: EmployeeView[];
  pagination: Page;
}

/** The client's calendar says who has left: from its day of leaving on, an employee counts as terminated. */
interface Calendar {
  timezone: string;
  now: number;
}

/** In the order of their ids. */
export function getEmployees(
  tx: TenantTransaction,
  { search, ...input }: GetEmployeesInput,
  { timezone, now }: Calendar,
): Promise<Found> {
  const today = dayIn(timezone, now);
  return search === undefined ? listed(tx, input, today) : searched(tx, { ...input, search }, today);
}

interface Pair {
  list: Statement;
  count: Statement;
}

const pairs = new Map<string, Pair>();

/** One plan per set of filters. */
function pairFor(conditions: readonly string[]): Pair {
  const where = conditions.join(' and ');
  let pair = pairs.get(where);
  if (pair === undefined) {
    pair = {
      list: statement(`select ${COLUMNS} from employees where ${where} order by id limit $3 offset $4`),
      // The window stands in both, so that both take the same parameters.
      count: statement(`
        select count(*) as total from (
          select from employees where ${where} and $3::int > 0 and $4::int >= 0 limit ${String(MAX_COUNTED + 1)}) counted`),
    };
    pairs.set(where, pair);
  }
  return pair;
}

async function listed(tx: TenantTransaction, input: GetEmployeesInput, today: string): Promise<Found> {
  const { department, is_active, limit, offset } = input;
  const values: unknown[] = [tx.clientId, today, limit, offset];
  const current = `is_active = ${String(is_active)} and not ${HAS_LEFT}`;
  const conditions = ['client_id = $1', input.include_terminated ? `(${current} or ${HAS_LEFT})` : current];
  if (!is_active) conditions.push(IS_AWAY);
  if (department !== undefined) conditions.push(`department_key = lower($${String(values.push(department))})`);
  const { list, count } = pairFor(conditions);
  const [rows, [counted]] = await Promise.all([
    tx.query<EmployeeRow>(list, values),
    tx.query<{ total: number }>(count, values),
  ]);
  return { employees: rows.map(viewOf), pagination: pageOf(counted?.total ?? 0, { limit, offset }) };
}

/** Counting what a search finds means reading it: further than this is not worth the wait. */
const MAX_FOUND = 1_000;
const SEARCH = longStatement(`
  select array_to_json(ids)::text as ids, matches
  from search_employees($1, $2, $3, $4, $5, $6, $7, ${String(MAX_FOUND)})`);
const READ = statement(`
  select ${COLUMNS} from employees where client_id = $1 and id = any($2::int[]) order by id`);

async function searched(
  tx: TenantTransaction,
  { search, department, is_active, include_terminated, limit, offset }: GetEmployeesInput & { search: string },
  today: string,
): Promise<Found> {
  const filters = [patternsOf(search), is_active, include_terminated, today, department ?? null];
  const [found] = await tx.query<{ ids: string; matches: number }>(SEARCH, [...filters, limit, offset]);
  const ids = JSON.parse(found?.ids ?? '[]') as number[];
  const rows = ids.length === 0 ? [] : await tx.query<EmployeeRow>(READ, [tx.clientId, ids]);
  return { employees: rows.map(viewOf), pagination: pageOf(found?.matches ?? 0, { limit, offset }, MAX_FOUND) };
}

const GET = statement(`select ${COLUMNS} from employees where client_id = $1 and id = $2`);

/** 404 for another client's. */
export async function getEmployee(tx: TenantTransaction, id: number): Promise<EmployeeView> {
  const [row] = await tx.query<EmployeeRow>(GET, [tx.clientId, id]);
  if (row === undefined) throw ApiError.notFound('employee', id);
  return viewOf(row);
}

const FIND = statement('select id, user_id from employees where client_id = $1 and id = $2');
const FIND_BY_USER = statement('select id, user_id from employees where client_id = $1 and user_id = $2');
const FIND_USER = statement('select id from users where client_id = $1 and id = $2');

/** How actions name an employee: exactly one of the two. */
export interface EmployeeRef {
  employee_id?: number | undefined;
  user_id?: number | undefined;
}

/** The employee that a reference names; 404 for none, and for another client's. */
export async function findEmployee(
  tx: TenantTransaction,
  ref: EmployeeRef,
): Promise<{ id: number; user_id: number | null }> {
  const { employee_id, user_id } = exactlyOne(ref);
  const [employee] = await tx.query<{ id: number; user_id: number | null }>(
    employee_id === undefined ? FIND_BY_USER : FIND,
    [tx.clientId, employee_id ?? user_id],
  );
  if (employee !== undefined) return employee;
  throw employee_id === undefined
    ? ApiError.notFound('employee with the user', user_id ?? 0)
    : ApiError.notFound('employee', employee_id);
}

/** The user behind a reference: not every user is an employee, and not every employee a user (then null). */
export async function findUserOf(tx: TenantTransaction, ref: EmployeeRef): Promise<number | null> {
  const { user_id } = exactlyOne(ref);
  if (user_id === undefined) return (await findEmployee(tx, ref)).user_id;
  const [user] = await tx.query<{ id: number }>(FIND_USER, [tx.clientId, user_id]);
  if (user === undefined) throw ApiError.notFound('user', user_id);
  return user.id;
}

function exactlyOne(ref: EmployeeRef): EmployeeRef {
  const { employee_id, user_id } = ref;
  if (employee_id === undefined && user_id === undefined) {
    throw ApiError.badRequest('employee_id', 'is required, unless user_id is given');
  }
  if (employee_id !== undefined && user_id !== undefined) {
    throw ApiError.invalid('user_id', 'must be left out where employee_id is given');
  }
  return ref;
}
