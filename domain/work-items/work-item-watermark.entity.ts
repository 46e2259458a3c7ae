import { defineEntity, p } from '@mikro-orm/core';

/** The item id, of all clients, up to which items are `counted`, or their `words` known. */
export const WorkItemWatermark = defineEntity({
  name: 'WorkItemWatermark',
  tableName: 'work_item_watermarks',
  properties: {
    name: p.text().primary(),
    up_to: p.bigint('number'),
  },
});
