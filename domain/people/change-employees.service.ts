import { audit } from '../audit/index.ts';
import type { Caller } from '../contracts/caller.ts';
import { ApiError } from '../contracts/errors.ts';
import type { FieldIssue } from '../contracts/errors.ts';
import type { CreateEmployeeInput, EmployeeView, UpdateEmployeeInput } from '../contracts/people.ts';
import { statement } from '../../platform/db/statement.ts';
import type { TenantTransaction } from '../../platform/db/transaction.ts';
import { COLUMNS, viewOf } from './employee.view.ts';
import type { EmployeeRow } from './employee.view.ts';
import { getEmployee } from './employees.service.ts';
import { checkMayChange } from './may-change.ts';
import { refuseTaken } from './taken.ts';

/** The columns that a caller may set. */
const FIELDS = [
  'user_id',
  'employee_number',
  'first_name',
  'last_name',
  'email',
  'department',
  'job_title',
  'manager_id',
  'is_active',
  'hired_on',
  'terminated_on',
] as const;
type Fields = Pick<EmployeeView, (typeof FIELDS)[number]>;

const places = (first: number): string => FIELDS.map((_, index) => `$${String(index + first)}`).join(', ');

/** One change of a client's employees at a time: a number and the reporting tree are about all of them. */
const LOCK = statement(`select pg_advisory_xact_lock(hashtextextended('employees', $1))`);
// Word for word the condition of employees_made_number_index, so that the planner sees that the index fits.
const LAST_NUMBER = statement(String.raw`
  select substr(employee_number, 3)::bigint as number from employees
  where client_id = $1 and employee_number ~ '^E-[0-9]{1,15}$' order by substr(employee_number, 3)::bigint desc limit 1`);
const INSERT = statement(`
  insert into employees (client_id, ${FIELDS.join(', ')}) values ($1, ${places(2)}) returning ${COLUMNS}`);
const UPDATE = statement(`
  update employees set (${FIELDS.join(', ')}, updated_at) = (${places(3)}, now())
  where client_id = $1 and id = $2 returning ${COLUMNS}`);
const USER = statement('select id from users where client_id = $1 and id = $2');
/** A manager and everyone above. The union leaves out who came up already, and so ends where rows form a circle. */
const UP = statement(`
  with recursive up as (
    select id, manager_id from employees where client_id = $1 and id = $2
    union
    select e.id, e.manager_id from up join employees e on e.client_id = $1 and e.id = up.manager_id
  )
  select id from up`);

/** Takes somebody on. Without a number the employee gets the one after the highest of the form E-0001. */
export async function createEmployee(
  tx: TenantTransaction,
  caller: Caller,
  input: CreateEmployeeInput,
): Promise<EmployeeView> {
  checkMayChange(caller);
  tx.write(LOCK, [tx.clientId]);
  const { user_id = null, manager_id = null, hired_on = null, terminated_on = null } = input;
  const { email = null, department = null, job_title = null } = input;
  const given = { ...input, user_id, manager_id, hired_on, terminated_on, email, department, job_title };
  await check(tx, given, given);
  const employee_number = input.employee_number ?? (await nextNumber(tx));
  const employee = await write(tx, INSERT, [tx.clientId], { ...given, employee_number });
  audit(tx, caller, { action: 'employee.created', subjectType: 'employee', subjectId: String(employee.id) });
  return employee;
}

/** Sets the fields that are given; null clears one. What changes nothing is success, and leaves no trace. */
export async function updateEmployee(
  tx: TenantTransaction,
  caller: Caller,
  { employee_id: id, ...input }: UpdateEmployeeInput,
): Promise<EmployeeView> {
  checkMayChange(caller);
  tx.write(LOCK, [tx.clientId]);
  const before = await getEmployee(tx, id);
  const given = Object.fromEntries(Object.entries(input).filter(([, value]) => value !== undefined));
  const after: EmployeeView = { ...before, ...given };
  const changed = FIELDS.filter((field) => after[field] !== before[field]);
  if (changed.length === 0) return before;
  await check(tx, after, Object.fromEntries(changed.map((field) => [field, after[field]])), id);
  const employee = await write(tx, UPDATE, [tx.clientId, id], after);
  const changes = Object.fromEntries(changed.map((field) => [field, { from: before[field], to: employee[field] }]));
  const subject = { subjectType: 'employee', subjectId: String(id) };
  audit(tx, caller, { action: 'employee.updated', ...subject, details: { changes } });
  return employee;
}

async function nextNumber(tx: TenantTransaction): Promise<string> {
  const [last] = await tx.query<{ number: number }>(LAST_NUMBER, [tx.clientId]);
  return `E-${String((last?.number ?? 0) + 1).padStart(4, '0')}`;
}

async function write(
  tx: TenantTransaction,
  query: typeof INSERT,
  keys: readonly number[],
  fields: Fields,
): Promise<EmployeeView> {
  const { employee_number, user_id } = fields;
  const values = [...keys, ...FIELDS.map((field) => fields[field])];
  const [row] = await tx.query<EmployeeRow>(query, values).catch(
    refuseTaken({
      employees_number_unique: ['employee_number', `${employee_number} is another employee's`],
      employees_user_unique: ['user_id', `the user ${String(user_id)} is another employee's`],
    }),
  );
  if (row === undefined) throw new Error('writing an employee returned no row');
  return viewOf(row);
}

/** The whole must be right; a record that it names is looked up where it is new. */
async function check(
  tx: TenantTransaction,
  { hired_on, terminated_on }: Pick<Fields, 'hired_on' | 'terminated_on'>,
  { user_id = null, manager_id = null }: Partial<Pick<Fields, 'user_id' | 'manager_id'>>,
  id?: number,
): Promise<void> {
  const [users, up] = await Promise.all([
    user_id === null ? [] : tx.query(USER, [tx.clientId, user_id]),
    manager_id === null ? [] : tx.query<{ id: number }>(UP, [tx.clientId, manager_id]),
  ]);
  const issues: FieldIssue[] = [];
  if (user_id !== null && users.length === 0) issues.push(unknown('user_id', 'user', user_id));
  if (manager_id !== null && up.length === 0) issues.push(unknown('manager_id', 'employee', manager_id));
  if (hired_on !== null && terminated_on !== null && terminated_on < hired_on) {
    issues.push({ field: 'terminated_on', issue: `must not be before hired_on (${hired_on})` });
  }
  if (issues.length > 0) throw ApiError.ofFields(issues);
  if (up.some((above) => above.id === id)) refuseCircle(id, manager_id);
}

function unknown(field: string, what: string, id: number): FieldIssue {
  return { field, issue: `there is no ${what} ${String(id)}` };
}

function refuseCircle(id: number | undefined, managerId: number | null): never {
  const field = 'manager_id';
  const issue =
    id === managerId
      ? 'an employee is not their own manager'
      : `${String(managerId)} reports to ${String(id)}, directly or through others`;
  throw ApiError.unprocessable(`${field}: ${issue}`, [{ field, issue }]);
}
