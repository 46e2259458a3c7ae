import { defineEntity, p } from '@mikro-orm/core';
import { column } from '../../platform/db/columns.ts';

/** Time that somebody spent on a work item. */
export const WorkItemTimeEntry = defineEntity({
  name: 'WorkItemTimeEntry',
  tableName: 'work_item_time_entries',
  properties: {
    id: column.bigId(),
    client_id: column.clientId(),
    work_item_id: p.bigint('number'),
    user_id: p.integer().nullable(),
    started_at: column.moment(),
    ended_at: column.moment(),
    duration_minutes: p.integer(),
    description: p.text().nullable(),
    is_billable: p.boolean().default(false),
    created_by_type: p.text(),
    created_by_id: p.text(),
    deleted_at: column.moment().nullable(),
    deleted_by: p.text().nullable(),
    created_at: column.createdAt(),
    updated_at: column.updatedAt(),
  },
  indexes: [
    {
      name: 'work_item_time_entries_item_index',
      properties: ['work_item_id', 'id'],
      where: '"deleted_at" is null',
    },
  ],
});
