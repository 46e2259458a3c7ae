import { defineEntity, p } from '@mikro-orm/core';
import { column } from '../../platform/db/columns.ts';

/** A Document AI call. `request_id` is made by the server and is the workflow id and the charging key too. */
export const VisionRequest = defineEntity({
  name: 'VisionRequest',
  tableName: 'vision_requests',
  properties: {
    id: column.bigId(),
    request_id: p.uuid(),
    client_id: column.clientId(),
    operation: p.text(),
    environment: p.text().default('production'),
    status: p.text().default('queued'),
    is_async: p.boolean().default(false),
    webhook_url: p.text().nullable(),
    api_key_id: p.integer().nullable(),
    oauth_application_id: p.integer().nullable(),
    options: p.json<Record<string, unknown>>().defaultRaw(`'{}'`),
    source_blob: p.text(),
    document_type: p.text().nullable(),
    pages_total: p.integer().nullable(),
    pages_read: p
      .array((page) => Number(page))
      .columnType('int[]')
      .defaultRaw(`'{}'`),
    result: p.json<Record<string, unknown>>().nullable(),
    /** The event that told how it ended. */
    event_id: p.uuid().nullable(),
    error_code: p.text().nullable(),
    error_message: p.text().nullable(),
    credits_used: p.decimal('number').columnType('numeric(12,2)').default(0),
    processing_time_ms: p.integer().nullable(),
    /** When its turn came; null while an asynchronous call waits for one of its client's to end. */
    admitted_at: column.moment().nullable(),
    /** When its file and result were erased; what it cost stays. */
    erased_at: column.moment().nullable(),
    created_at: column.createdAt(),
    finished_at: column.moment().nullable(),
  },
  uniques: [{ name: 'vision_requests_request_unique', properties: ['request_id'] }],
  indexes: [
    { name: 'vision_requests_client_index', properties: ['client_id', 'id'] },
    {
      name: 'vision_requests_waiting_index',
      properties: ['client_id', 'id'],
      where: `"is_async" and "status" = 'queued' and "admitted_at" is null`,
    },
    {
      name: 'vision_requests_active_index',
      properties: ['client_id'],
      where: `"is_async" and "admitted_at" is not null and "status" in ('queued', 'running')`,
    },
    {
      name: 'vision_requests_open_index',
      properties: ['id'],
      where: `"status" in ('queued', 'running') and "admitted_at" is not null`,
    },
    { name: 'vision_requests_kept_index', properties: ['finished_at'], where: `"erased_at" is null` },
  ],
});
