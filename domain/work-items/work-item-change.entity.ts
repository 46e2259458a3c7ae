import { defineEntity, p } from '@mikro-orm/core';
import { column } from '../../platform/db/columns.ts';

/** One item more (`n` is 1) or less (-1) of a kind since the counts were last brought up to date; kept by a trigger. */
export const WorkItemChange = defineEntity({
  name: 'WorkItemChange',
  tableName: 'work_item_changes',
  properties: {
    client_id: column.clientId().primary(),
    id: column.bigId(),
    work_item_id: p.bigint('number'),
    item_type: p.text(),
    status: p.text(),
    priority: p.text(),
    n: p.integer(),
  },
});
