import { defineEntity, p } from '@mikro-orm/core';
import { column } from '../../platform/db/columns.ts';

/** Which record of ours a sender's own id stands for: a contact by its `external_id`, a thread by who writes in it. */
export const InboundLink = defineEntity({
  name: 'InboundLink',
  tableName: 'inbound_links',
  properties: {
    webhook_id: p.uuid().primary(),
    kind: p.text().primary(),
    external_id: p.text().primary(),
    client_id: column.clientId(),
    record_id: p.text(),
    created_at: column.createdAt(),
  },
});
