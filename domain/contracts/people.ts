import { z } from 'zod';
import { Day, dayField, emailField, idField, Moment, textField, windowFields } from './common.ts';
import { TEAM_ROLES } from './teams.ts';

/** An employee named by its own id or by its user's: exactly one of the two, which no schema of one object can say. */
export const employeeRefFields = {
  employee_id: idField('Id of the employee (get-employees lists them); give this or user_id, not both')
    .meta({ example: 12 })
    .optional(),
  user_id: idField(
    'User id of the employee (get-active-users lists them); give this or employee_id, not both',
  ).optional(),
};

/** The default of `get-subordinates`: nearly every organisation fits into one answer. */
const SUBORDINATES = { limit: 1_000, max: 5_000 };

export const GetEmployees = z.strictObject({
  department: textField(200, 'Only employees of this department, spelled as on the employee; case does not matter')
    .meta({ example: 'Field Service' })
    .optional(),
  is_active: z
    .boolean()
    .default(true)
    .describe('true: employees who are active; false: those who are not, and have not left'),
  include_terminated: z
    .boolean()
    .default(false)
    .describe('Whether employees whose terminated_on has passed are listed as well'),
  search: textField(
    200,
    'Words that must all occur, in any order and case, in name, number, e-mail or job title. Parts of words count; a word of one or two characters finds words that begin with it',
  )
    .meta({ example: 'nkosi' })
    .optional(),
  ...windowFields(100, 500),
});
export type GetEmployeesInput = z.output<typeof GetEmployees>;

const EmployeeId = idField('Id of the employee').meta({ example: 12 });
export const GetEmployee = z.strictObject({ employee_id: EmployeeId });

const trimmed = (max: number, description: string) => textField(max, description).trim().describe(description);
const NUMBER = trimmed(40, 'Number on the payroll, which no other employee of yours has').meta({ example: 'E-0012' });
const FIRST_NAME = trimmed(100, 'First name').meta({ example: 'Thandi' });
const LAST_NAME = trimmed(100, 'Last name').meta({ example: 'Nkosi' });

/** What may be left out; null says that there is none. */
const details = {
  email: emailField('E-mail').nullable().optional().meta({ example: 'thandi@acme.example' }),
  department: trimmed(200, 'Department').nullable().optional().meta({ example: 'Field Service' }),
  job_title: trimmed(200, 'Job title').nullable().optional().meta({ example: 'Technician' }),
  manager_id: idField('Employee id of the manager; nobody reports to themselves, by no way round')
    .nullable()
    .optional(),
  user_id: idField('The user that the employee signs in as (get-active-users); a user is one employee at most')
    .nullable()
    .optional(),
  hired_on: dayField('First day at work').nullable().optional(),
  terminated_on: dayField('Day from which on the employee has left; not before hired_on').nullable().optional(),
};
const IS_ACTIVE = z.boolean().describe('false: not at work for now, or for good; the record stays');

export const CreateEmployee = z.strictObject({
  employee_number: NUMBER.optional().describe(
    'Number on the payroll, which no other employee of yours has; left out: the next one, as E-0013',
  ),
  first_name: FIRST_NAME,
  last_name: LAST_NAME,
  ...details,
  is_active: IS_ACTIVE.default(true),
});
export type CreateEmployeeInput = z.output<typeof CreateEmployee>;

export const UpdateEmployee = z.strictObject({
  employee_id: EmployeeId,
  employee_number: NUMBER.optional(),
  first_name: FIRST_NAME.optional(),
  last_name: LAST_NAME.optional(),
  ...details,
  is_active: IS_ACTIVE.optional(),
});
export type UpdateEmployeeInput = z.output<typeof UpdateEmployee>;

export const GetActiveUsers = z.strictObject({
  status: z
    .enum(['active', 'inactive', 'all'])
    .default('active')
    .describe('active: users who can sign in; inactive: users who were deactivated; all: both'),
  search: textField(200, 'Only users whose name or e-mail contains this text').meta({ example: 'thandi' }).optional(),
  ...windowFields(100, 500),
});
export type GetActiveUsersInput = z.output<typeof GetActiveUsers>;

export const GetUserMemberships = z.strictObject({
  user_id: idField('User whose teams are asked for; left out: the user to whom the API key belongs')
    .meta({ example: 7 })
    .optional(),
  ...windowFields(100, 500),
});
export type GetUserMembershipsInput = z.output<typeof GetUserMemberships>;

export const GetSubordinates = z.strictObject({
  ...employeeRefFields,
  include_descendants: z
    .boolean()
    .default(false)
    .describe('true: the whole reporting tree below the employee; false: direct reports only'),
  include_self: z.boolean().default(false).describe('Whether the employee comes first in the list, with depth 0'),
  ...windowFields(SUBORDINATES.limit, SUBORDINATES.max),
});
export type GetSubordinatesInput = z.output<typeof GetSubordinates>;

const nullable = <T extends z.ZodType>(schema: T) => schema.nullable();

export const EmployeeView = z
  .object({
    id: z.int().describe('Employee id').meta({ example: 12 }),
    employee_id: z.int().describe('The same id, by the name that other actions take it').meta({ example: 12 }),
    user_id: nullable(z.int()).describe('The user that the employee signs in as'),
    client_id: z.int(),
    employee_number: z.string().meta({ example: 'E-0012' }),
    first_name: z.string().meta({ example: 'Thandi' }),
    last_name: z.string().meta({ example: 'Nkosi' }),
    email: nullable(z.string()),
    department: nullable(z.string()).meta({ example: 'Field Service' }),
    job_title: nullable(z.string()).meta({ example: 'Technician' }),
    manager_id: nullable(z.int()).describe('Employee id of the manager'),
    is_active: z.boolean(),
    hired_on: nullable(Day),
    terminated_on: nullable(Day),
    created_at: Moment,
    updated_at: Moment,
  })
  .meta({ id: 'Employee' });
export type EmployeeView = z.output<typeof EmployeeView>;

export const SubordinateView = EmployeeView.extend({
  depth: z.int().describe('0 the employee itself, 1 a direct report, 2 a report of a report, and so on'),
}).meta({ id: 'Subordinate' });
export type SubordinateView = z.output<typeof SubordinateView>;

export const EmployeeList = z.object({ employees: z.array(EmployeeView) });
export const SubordinateList = z.object({
  employees: z.array(SubordinateView).describe('Nearest first, then by id'),
  scope: z
    .object({
      employee_ids: z.array(z.int()).describe('Ids of all employees found'),
      user_ids: z.array(z.int()).describe('User ids of those who have one'),
    })
    .describe('Everyone found, whatever limit and offset: what a manager may see'),
});

/** A user as reads show it; nothing that has to do with signing in. */
export const UserView = z
  .object({
    id: z.int().describe('User id').meta({ example: 7 }),
    user_id: z.int().describe('The same id, by the name that other actions take it').meta({ example: 7 }),
    client_id: z.int(),
    email: z.string().meta({ example: 'thandi@acme.example' }),
    name: z.string().meta({ example: 'Thandi Nkosi' }),
    given_name: nullable(z.string()),
    family_name: nullable(z.string()),
    picture: nullable(z.string()).describe('Address of a picture'),
    email_verified: z.boolean(),
    role: z.enum(['owner', 'admin', 'member', 'auditor']),
    is_active: z.boolean(),
    created_at: Moment,
    updated_at: Moment,
  })
  .meta({ id: 'DirectoryUser' });
export type UserView = z.output<typeof UserView>;

export const UserList = z.object({ users: z.array(UserView) });

export const MembershipView = z
  .object({
    team_id: z.uuid().describe('What assigned_team of a work item takes'),
    team_name: z.string().meta({ example: 'Pumps' }),
    team_description: nullable(z.string()),
    team_is_active: z.boolean(),
    user_id: z.int(),
    user_name: z.string(),
    client_id: z.int(),
    role: z.enum(TEAM_ROLES).describe('Role in the team'),
    joined_at: Moment,
  })
  .meta({ id: 'TeamMembership' });
export type MembershipView = z.output<typeof MembershipView>;

export const MembershipList = z.object({ memberships: z.array(MembershipView) });
