import { z } from 'zod';
import { windowFields } from './common.ts';
import { employeeRefFields } from './people.ts';
import { ITEM_TYPES, WorkItemView } from './work-items.ts';

const fields = {
  ...employeeRefFields,
  item_type: z.enum(ITEM_TYPES).describe('Only work items of this kind; left out: of every kind').optional(),
};

export const GetEmployeeDueTasks = z.strictObject({
  ...fields,
  include_overdue: z
    .boolean()
    .default(false)
    .describe('true: also what was due before today and is still open, before what is due today'),
  ...windowFields(100, 500),
});

export const GetEmployeeOverdueTasks = z.strictObject({ ...fields, ...windowFields(100, 500) });
export type EmployeeTasksInput = z.output<typeof GetEmployeeOverdueTasks>;

export const DueTaskView = WorkItemView.extend({
  is_overdue: z.boolean().describe("Whether its due date lies before today, in the client's time zone"),
}).meta({ id: 'DueTask' });
export type DueTask = z.output<typeof DueTaskView>;

export const DueTaskList = z.object({ tasks: z.array(DueTaskView) });
