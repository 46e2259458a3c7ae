import { defineEntity, p } from '@mikro-orm/core';
import { column } from '../../platform/db/columns.ts';

/** A user who reads a thread and may write in it. */
export const ThreadParticipant = defineEntity({
  name: 'ThreadParticipant',
  tableName: 'thread_participants',
  properties: {
    thread_id: p.uuid().primary(),
    user_id: p.integer().primary(),
    client_id: column.clientId(),
    joined_at: column.createdAt(),
  },
  indexes: [{ name: 'thread_participants_user_index', properties: ['client_id', 'user_id', 'thread_id'] }],
});
