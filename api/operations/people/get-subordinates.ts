import { GetSubordinates, SubordinateList } from '../../../domain/contracts/people.ts';
import { getSubordinates } from '../../../domain/people/index.ts';
import { operation } from '../../operation.ts';

export const getSubordinatesOperation = operation({
  name: 'get-subordinates',
  title: 'List who reports to an employee',
  description:
    'Returns the employees who report to one employee, each with a depth (1 a direct report, 2 a report of a report), and a scope object with the employee_ids and user_ids of all of them. By default direct reports only; include_descendants returns the whole reporting tree, include_self adds the employee with depth 0. People who are inactive or have left are in it, marked by is_active and terminated_on. Name the employee by employee_id or user_id (get-employees and get-active-users list them). employees holds up to limit (5000), scope always holds everyone.',
  area: 'People',
  scopes: ['employees:read', 'users:read'],
  input: GetSubordinates,
  output: SubordinateList,
  paginated: true,
  effects: 'read',
  action: true,
  errors: ['NOT_FOUND'],
  run: async ({ tx }, input) => {
    const { employees, scope, pagination } = await getSubordinates(tx, input);
    return { data: { employees, scope }, pagination };
  },
});
