import { defineEntity, p } from '@mikro-orm/core';
import { column } from '../../platform/db/columns.ts';

/** What somebody wrote in a thread. `attachments` are files of work items, as they were when the message was sent. */
export const ThreadMessage = defineEntity({
  name: 'ThreadMessage',
  tableName: 'thread_messages',
  properties: {
    id: column.bigId(),
    client_id: column.clientId(),
    thread_id: p.uuid(),
    sender_id: p.integer().nullable(),
    body: p.text(),
    attachments: p.json<Record<string, unknown>[]>().defaultRaw(`'[]'`),
    created_by_type: p.text(),
    created_by_id: p.text(),
    created_at: column.createdAt(),
  },
  indexes: [{ name: 'thread_messages_thread_index', properties: ['thread_id', 'id'] }],
});
