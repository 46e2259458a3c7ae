import { defineEntity, p } from '@mikro-orm/core';
import { column } from '../../platform/db/columns.ts';

/** A remark on a work item. `user_id` is its author; null when a program that acts for nobody wrote it. */
export const WorkItemComment = defineEntity({
  name: 'WorkItemComment',
  tableName: 'work_item_comments',
  properties: {
    id: column.bigId(),
    client_id: column.clientId(),
    work_item_id: p.bigint('number'),
    body: p.text(),
    comment_type: p.text().default('general'),
    is_internal: p.boolean().default(false),
    user_id: p.integer().nullable(),
    created_by_type: p.text(),
    created_by_id: p.text(),
    deleted_at: column.moment().nullable(),
    deleted_by: p.text().nullable(),
    created_at: column.createdAt(),
    updated_at: column.updatedAt(),
  },
  indexes: [
    {
      name: 'work_item_comments_item_index',
      properties: ['work_item_id', 'id'],
      where: '"deleted_at" is null',
    },
  ],
});
