import { z } from 'zod';
import { idField } from './common.ts';
import { CREATE_PRIORITIES, CreateWorkItem, WorkItemRef, WorkItemView } from './work-items.ts';

const fields = CreateWorkItem.shape;

/** What both ways of making a managed task take (spec, "create-managed-task parameters"; decisions §5). */
const TASK = {
  description: fields.description,
  priority: z.enum(CREATE_PRIORITIES).default('medium').describe('Urgency'),
  due_date: fields.due_date,
  module_context: fields.module_context.describe('Module the task belongs to; left out: operations'),
  tags: fields.tags,
  notes: fields.notes,
};

export const CreateManagedTask = z.strictObject({
  title: fields.title.meta({ example: 'Check the cold store' }),
  ...TASK,
  assigned_to: fields.assigned_to.describe('User id of the primary assignee, who is one of the assignees too'),
  assigned_users: fields.assigned_users.describe(
    'User ids of all assignees; without assigned_to the first is the primary one',
  ),
  parent_id: fields.parent_id,
  custom_fields: fields.custom_fields,
});
export type CreateManagedTaskInput = z.output<typeof CreateManagedTask>;

export const AddWorkItemToManagedTask = z.strictObject({
  work_item_id: WorkItemRef,
  target_user_id: idField('User id of who is to do the task (get-active-users)'),
  title: fields.title.describe('Title of the task; left out: that of the work item').optional(),
  ...TASK,
  custom_fields: fields.custom_fields.describe(
    'Any JSON of your own, at most 16 KiB; the field `reference` is set to the work item',
  ),
});
export type AddWorkItemToManagedTaskInput = z.output<typeof AddWorkItemToManagedTask>;

/** The task, and whether it was there before. */
export const ManagedTaskView = WorkItemView.extend({
  already_existed: z.boolean().describe('True when the user had a task for the work item already; nothing changed'),
}).meta({ id: 'ManagedTask' });
export type ManagedTaskView = z.output<typeof ManagedTaskView>;
