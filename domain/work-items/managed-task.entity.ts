import { defineEntity, p } from '@mikro-orm/core';
import { column } from '../../platform/db/columns.ts';

/** The one task that a user has for a work item. Its key makes a second one impossible; it goes when the task is deleted. */
export const ManagedTask = defineEntity({
  name: 'ManagedTask',
  tableName: 'managed_tasks',
  properties: {
    work_item_id: p.bigint('number').primary(),
    user_id: p.integer().primary(),
    client_id: column.clientId(),
    task_uuid: p.uuid(),
    created_at: column.createdAt(),
  },
  uniques: [{ name: 'managed_tasks_task_unique', properties: ['task_uuid'] }],
});
