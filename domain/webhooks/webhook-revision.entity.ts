import { defineEntity, p } from '@mikro-orm/core';
import { column } from '../../platform/db/columns.ts';

/** What a webhook's requests looked like from a revision on: the delivery log shows each request as it was sent. */
export const WebhookRevision = defineEntity({
  name: 'WebhookRevision',
  tableName: 'webhook_revisions',
  properties: {
    webhook_id: p.integer().primary(),
    revision: p.integer().primary(),
    client_id: column.clientId(),
    endpoint_url: p.text(),
    http_method: p.text(),
    custom_headers: p.json<Record<string, string>>(),
    auth_type: p.text(),
    payload_version: p.text(),
    payload_template: p.json<Record<string, unknown>>().nullable(),
    created_at: column.createdAt(),
  },
});
