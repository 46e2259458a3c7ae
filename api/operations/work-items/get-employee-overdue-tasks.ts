import { DueTaskList, GetEmployeeOverdueTasks } from '../../../domain/contracts/employee-tasks.ts';
import { findUserOf } from '../../../domain/people/index.ts';
import { listDueTasks } from '../../../domain/work-items/index.ts';
import { operation } from '../../operation.ts';

export const getEmployeeOverdueTasksOperation = operation({
  name: 'get-employee-overdue-tasks',
  title: "List an employee's overdue work",
  description:
    'Returns the open work items (jobs, tasks, tickets, projects, milestones) whose due_date lies before today and that are assigned to an employee, as the primary assignee or as one of several, the longest overdue first. Name the employee by employee_id or user_id (get-employees and get-active-users list them). "Today" is the day in the time zone of the client; completed, closed, done, resolved and cancelled work is left out. At most 500 at a time; for what is due today use get-employee-due-tasks.',
  area: 'Work items',
  scopes: ['work_items:read', 'employees:read'],
  input: GetEmployeeOverdueTasks,
  output: DueTaskList,
  paginated: true,
  effects: 'read',
  action: true,
  errors: ['NOT_FOUND'],
  run: async ({ caller, tx, services }, input) => {
    const { tasks, pagination } = await listDueTasks(tx, 'overdue', {
      userId: await findUserOf(tx, input),
      input,
      workday: { now: services.clock.now(), timezone: caller.client.timezone },
    });
    return { data: { tasks }, pagination };
  },
});
