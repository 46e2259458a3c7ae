import { defineEntity, p } from '@mikro-orm/core';
import { column } from '../../platform/db/columns.ts';

/**
 * A conversation between users of one client. Without a subject it is the one direct thread of its participants:
 * `participants_digest` is unique, so that two who open it at once get the same. A thread with a subject has no digest.
 */
export const Thread = defineEntity({
  name: 'Thread',
  tableName: 'threads',
  properties: {
    thread_id: p.uuid().primary(),
    client_id: column.clientId(),
    subject: p.text().nullable(),
    participants_digest: p.blob().nullable().hidden(),
    last_message_id: p.bigint('number').nullable(),
    last_message_at: column.moment().nullable(),
    created_by_type: p.text(),
    created_by_id: p.text(),
    created_at: column.createdAt(),
  },
  uniques: [{ name: 'threads_participants_unique', properties: ['client_id', 'participants_digest'] }],
});
