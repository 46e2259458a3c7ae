import { defineEntity, p } from '@mikro-orm/core';
import { column } from '../../platform/db/columns.ts';

/** How many items there are of a kind, of those up to the watermark `counted`; written by the worker alone. */
export const WorkItemCount = defineEntity({
  name: 'WorkItemCount',
  tableName: 'work_item_counts',
  properties: {
    client_id: column.clientId().primary(),
    item_type: p.text().primary(),
    status: p.text().primary(),
    priority: p.text().primary(),
    n: p.bigint('number'),
  },
});
