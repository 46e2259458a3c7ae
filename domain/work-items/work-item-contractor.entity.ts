import { defineEntity, p } from '@mikro-orm/core';
import { column } from '../../platform/db/columns.ts';

/** An outside company (a contact) that works on a work item. */
export const WorkItemContractor = defineEntity({
  name: 'WorkItemContractor',
  tableName: 'work_item_contractors',
  properties: {
    work_item_id: p.bigint('number').primary(),
    contact_id: p.integer().primary(),
    client_id: column.clientId(),
  },
  indexes: [{ name: 'work_item_contractors_contact_index', properties: ['client_id', 'contact_id', 'work_item_id'] }],
});
