import { CreateEmployee, EmployeeView } from '../../../domain/contracts/people.ts';
import { createEmployee } from '../../../domain/people/index.ts';
import { operation } from '../../operation.ts';

export const createEmployeeOperation = operation({
  name: 'create-employee',
  title: 'Create an employee',
  description:
    'Takes somebody on and returns the record. Without employee_number it gets the next one (E-0013). An employee need not sign in; user_id names the user of one who does. For owners and admins.',
  area: 'People',
  scopes: null,
  input: CreateEmployee,
  output: EmployeeView,
  effects: 'write',
  route: { method: 'post', path: '/api/v1/employees', auth: ['jwt'], status: 201 },
  errors: ['FORBIDDEN', 'CONFLICT'],
  run: async ({ caller, tx }, input) => ({ data: await createEmployee(tx, caller, input) }),
});
