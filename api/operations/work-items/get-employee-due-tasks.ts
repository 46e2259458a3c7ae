import { DueTaskList, GetEmployeeDueTasks } from '../../../domain/contracts/employee-tasks.ts';
import { findUserOf } from '../../../domain/people/index.ts';
import { listDueTasks } from '../../../domain/work-items/index.ts';
import { operation } from '../../operation.ts';

export const getEmployeeDueTasksOperation = operation({
  name: 'get-employee-due-tasks',
  title: "List an employee's work due today",
  description:
    'Returns the open work items (jobs, tasks, tickets, projects, milestones) that are due today and assigned to an employee, as the primary assignee or as one of several, earliest first; with include_overdue also the late ones. Name the employee by employee_id or user_id (get-employees and get-active-users list them). "Today" is the day in the time zone of the client; completed, closed, done, resolved and cancelled work is left out. At most 500 at a time; get-employee-overdue-tasks returns only what is late.',
  area: 'Work items',
  scopes: ['work_items:read', 'employees:read'],
  input: GetEmployeeDueTasks,
  output: DueTaskList,
  paginated: true,
  effects: 'read',
  action: true,
  errors: ['NOT_FOUND'],
  run: async ({ caller, tx, services }, { include_overdue, ...input }) => {
    const { tasks, pagination } = await listDueTasks(tx, include_overdue ? 'due_or_overdue' : 'due', {
      userId: await findUserOf(tx, input),
      input,
      workday: { now: services.clock.now(), timezone: caller.client.timezone },
    });
    return { data: { tasks }, pagination };
  },
});
