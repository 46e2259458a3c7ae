import { EmployeeView, GetEmployee } from '../../../domain/contracts/people.ts';
import { getEmployee } from '../../../domain/people/index.ts';
import { operation } from '../../operation.ts';

export const getEmployeeOperation = operation({
  name: 'get-employee',
  title: 'Get an employee',
  description: 'Returns one employee by its id, also one who has left.',
  area: 'People',
  scopes: ['employees:read'],
  input: GetEmployee,
  output: EmployeeView,
  effects: 'read',
  route: { method: 'get', path: '/api/v1/employees/{employee_id}', auth: ['jwt'], params: ['employee_id'] },
  errors: ['NOT_FOUND'],
  run: async ({ tx }, { employee_id }) => ({ data: await getEmployee(tx, employee_id) }),
});
