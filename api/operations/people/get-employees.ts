import { EmployeeList, GetEmployees } from '../../../domain/contracts/people.ts';
import { getEmployees } from '../../../domain/people/index.ts';
import { operation } from '../../operation.ts';

export const getEmployeesOperation = operation({
  name: 'get-employees',
  title: 'List employees',
  description:
    'Returns the staff in the order of their ids: number, name, department, job title, manager, and the user id of those who sign in. By default those who are active and have not left; is_active, include_terminated, department and search choose others. At most 500 at a time; total counts up to 10,000, in a search up to 1,000, and where more match total_is_exact is false. Work is assigned to users: use user_id of an employee as assigned_to. For the people below a manager use get-subordinates.',
  area: 'People',
  scopes: ['employees:read'],
  input: GetEmployees,
  output: EmployeeList,
  paginated: true,
  effects: 'read',
  action: true,
  route: { method: 'get', path: '/api/v1/employees', auth: ['jwt'], unwrap: 'employees' },
  run: async ({ caller, tx, services }, input) => {
    const { timezone } = caller.client;
    const { employees, pagination } = await getEmployees(tx, input, { timezone, now: services.clock.now() });
    return { data: { employees }, pagination };
  },
});
