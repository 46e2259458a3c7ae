import { isoMoment } from '../contracts/common.ts';
import type { ThreadMessageRecord, ThreadRecord } from '../contracts/threads.ts';

/** The columns of `threads` (alias t) that {@link threadOf} turns into the wire form. */
export const THREAD_COLUMNS = `t.thread_id, t.subject, t.last_message_at, t.created_at,
  array(select p.user_id from thread_participants p where p.thread_id = t.thread_id order by p.user_id) as participant_user_ids,
  (select left(m.body, 200) from thread_messages m where m.id = t.last_message_id) as last_message_body`;

/** The same of `thread_messages` (alias m) and {@link messageOf}. */
export const MESSAGE_COLUMNS = `m.id, m.thread_id, m.sender_id, m.body, m.attachments, m.created_at,
  (select u.name from users u where u.client_id = m.client_id and u.id = m.sender_id) as sender_name`;

export type ThreadRow = Omit<ThreadRecord, 'last_message_at' | 'created_at'> & {
  last_message_at: Date | null;
  created_at: Date;
};
export type MessageRow = Omit<ThreadMessageRecord, 'created_at'> & { created_at: Date };

export function threadOf(row: ThreadRow): ThreadRecord {
  return {
    thread_id: row.thread_id,
    subject: row.subject,
    participant_user_ids: row.participant_user_ids,
    last_message_at: isoMoment(row.last_message_at),
    last_message_body: row.last_message_body,
    created_at: isoMoment(row.created_at),
  };
}

export function messageOf(row: MessageRow): ThreadMessageRecord {
  return {
    id: row.id,
    thread_id: row.thread_id,
    sender_id: row.sender_id,
    sender_name: row.sender_name,
    body: row.body,
    attachments: row.attachments,
    created_at: isoMoment(row.created_at),
  };
}
