import { defineEntity, p } from '@mikro-orm/core';
import { column } from '../../platform/db/columns.ts';

/** How many items there are of a kind, kept by a trigger: the sum of `n`, over as many rows as there were writers at once. */
export const WorkItemCount = defineEntity({
  name: 'WorkItemCount',
  tableName: 'work_item_counts',
  properties: {
    id: column.bigId(),
    client_id: column.clientId(),
    item_type: p.text(),
    status: p.text(),
    priority: p.text(),
    n: p.bigint('number'),
  },
  indexes: [{ name: 'work_item_counts_index', properties: ['client_id', 'item_type', 'status', 'priority'] }],
});
