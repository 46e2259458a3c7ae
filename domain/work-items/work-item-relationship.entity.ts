import { defineEntity, p } from '@mikro-orm/core';
import { column } from '../../platform/db/columns.ts';

/** `work_item_id` stands in `relationship_type` to `related_id`; a child is `child_of` its parent or project. */
export const WorkItemRelationship = defineEntity({
  name: 'WorkItemRelationship',
  tableName: 'work_item_relationships',
  properties: {
    work_item_id: p.bigint('number').primary(),
    related_id: p.bigint('number').primary(),
    relationship_type: p.text().primary(),
    client_id: column.clientId(),
    created_at: column.createdAt(),
  },
  indexes: [{ name: 'work_item_relationships_related_index', properties: ['related_id', 'relationship_type'] }],
});
