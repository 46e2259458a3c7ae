import { defineEntity, p } from '@mikro-orm/core';
import { column } from '../../platform/db/columns.ts';

/** A user who works on a work item beside its primary `assigned_to`. */
export const WorkItemAssignee = defineEntity({
  name: 'WorkItemAssignee',
  tableName: 'work_item_assignees',
  properties: {
    work_item_id: p.bigint('number').primary(),
    user_id: p.integer().primary(),
    client_id: column.clientId(),
  },
  indexes: [{ name: 'work_item_assignees_user_index', properties: ['client_id', 'user_id', 'work_item_id'] }],
});
