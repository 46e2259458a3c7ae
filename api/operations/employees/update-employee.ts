import { EmployeeView, UpdateEmployee } from '../../../domain/contracts/people.ts';
import { updateEmployee } from '../../../domain/people/index.ts';
import { operation } from '../../operation.ts';

export const updateEmployeeOperation = operation({
  name: 'update-employee',
  title: 'Change an employee',
  description:
    'Changes the given fields of an employee and returns the whole of it. Fields left out stay as they are; null clears one. Somebody who leaves gets terminated_on and keeps the record: employees are not deleted. A manager_id by which somebody would come to report to themselves is 422. For owners and admins.',
  area: 'People',
  scopes: null,
  input: UpdateEmployee,
  output: EmployeeView,
  effects: 'write',
  idempotent: true,
  route: { method: 'patch', path: '/api/v1/employees/{employee_id}', auth: ['jwt'], params: ['employee_id'] },
  errors: ['FORBIDDEN', 'NOT_FOUND', 'CONFLICT', 'UNPROCESSABLE_ENTITY'],
  run: async ({ caller, tx }, input) => ({ data: await updateEmployee(tx, caller, input) }),
});
