import { findAttachments } from '../attachments/index.ts';
import { audit } from '../audit/index.ts';
import type { Caller } from '../contracts/caller.ts';
import type { Page } from '../contracts/common.ts';
import { ApiError } from '../contracts/errors.ts';
import type {
  GetThreadMessagesInput,
  ListThreadsInput,
  SendThreadMessageInput,
  ThreadMessageAttachment,
  ThreadMessageRecord,
  ThreadRecord,
} from '../contracts/threads.ts';
import { recordEvent } from '../events/index.ts';
import { statement } from '../../platform/db/statement.ts';
import type { TenantTransaction } from '../../platform/db/transaction.ts';
import { openThread } from './open-thread.ts';
import { MESSAGE_COLUMNS, messageOf, THREAD_COLUMNS, threadOf } from './thread.view.ts';
import type { MessageRow, ThreadRow } from './thread.view.ts';

const PARTICIPATES = `t.client_id = $1
  and exists (select from thread_participants p where p.thread_id = t.thread_id and p.user_id = $2)`;
// Locked: messages of a thread get their ids in the order in which they are committed.
const LOCK = statement(`select t.thread_id from threads t where ${PARTICIPATES} and t.thread_id = $3 for update`);
const LOCK_ANY = statement(`select from threads where client_id = $1 and thread_id = $2 for update`);
const FIND = statement(`select t.thread_id from threads t where ${PARTICIPATES} and t.thread_id = $3`);
const INSERT_MESSAGE = statement(`
  insert into thread_messages as m (client_id, thread_id, sender_id, body, attachments, created_by_type, created_by_id)
  values ($1, $2, $3, $4, $5, $6, $7) returning ${MESSAGE_COLUMNS}`);
const UPDATE_THREAD = statement(`
  update threads t set last_message_id = $3, last_message_at = $4
  where t.client_id = $1 and t.thread_id = $2 returning ${THREAD_COLUMNS}`);
const LIST = statement(`
  select ${THREAD_COLUMNS} from thread_participants mine join threads t using (thread_id)
  where mine.client_id = $1 and mine.user_id = $2 order by t.last_message_id desc nulls last, t.thread_id
  limit $3 offset $4`);
const COUNT = statement(`select count(*) as total from thread_participants where client_id = $1 and user_id = $2`);
const LIST_MESSAGES = statement(`
  select ${MESSAGE_COLUMNS} from thread_messages m
  where m.client_id = $1 and m.thread_id = $2 order by m.id desc limit $3 offset $4`);
const COUNT_MESSAGES = statement(`
  select count(*) as total from thread_messages where client_id = $1 and thread_id = $2`);

/** Writes a message as the caller's user, in a thread of theirs or in one that is opened for it. */
export async function sendThreadMessage(
  tx: TenantTransaction,
  caller: Caller,
  input: SendThreadMessageInput,
): Promise<{ thread: ThreadRecord; message: ThreadMessageRecord }> {
  const senderId = userOf(caller);
  const attachments = await referredFiles(tx, input.attachments ?? []);
  const threadId = await threadFor(tx, caller, senderId, input);
  return addMessage(tx, caller, { threadId, senderId, body: input.body, attachments });
}

/** Tells users something in a new thread of theirs; the platform itself is the sender. */
export async function notifyUsers(
  tx: TenantTransaction,
  caller: Caller,
  { user_ids, subject, body }: { user_ids: readonly number[]; subject: string; body: string },
): Promise<{ thread: ThreadRecord; message: ThreadMessageRecord }> {
  const threadId = await openThread(tx, caller, { senderId: null, others: user_ids, subject });
  return addMessage(tx, caller, { threadId, senderId: null, body, attachments: [] });
}

/** Writes in a thread as the platform itself, which takes no part in it; undefined where there is none such. */
export async function writeInThread(
  tx: TenantTransaction,
  caller: Caller,
  { threadId, body }: { threadId: string; body: string },
): Promise<ThreadMessageRecord | undefined> {
  const [thread] = await tx.query(LOCK_ANY, [tx.clientId, threadId]);
  if (thread === undefined) return undefined;
  return (await addMessage(tx, caller, { threadId, senderId: null, body, attachments: [] })).message;
}

interface NewMessage {
  threadId: string;
  senderId: number | null;
  body: string;
  attachments: readonly ThreadMessageAttachment[];
}

async function addMessage(
  tx: TenantTransaction,
  caller: Caller,
  { threadId, senderId, body, attachments }: NewMessage,
): Promise<{ thread: ThreadRecord; message: ThreadMessageRecord }> {
  const { type, id } = caller.actor;
  const values = [tx.clientId, threadId, senderId, body, JSON.stringify(attachments), type, id];
  const [sent] = await tx.query<MessageRow>(INSERT_MESSAGE, values);
  if (sent === undefined) throw new Error('insert into thread_messages returned no row');
  const [row] = await tx.query<ThreadRow>(UPDATE_THREAD, [tx.clientId, threadId, sent.id, sent.created_at]);
  if (row === undefined) throw new Error('the thread of a message is gone');
  const thread = threadOf(row);
  const message = messageOf(sent);
  audit(tx, caller, {
    action: 'thread.message_sent',
    subjectType: 'thread',
    subjectId: threadId,
    details: { message_id: message.id },
  });
  recordEvent(tx, { name: 'thread.message_sent', data: { thread, message } });
  return { thread, message };
}

/** The threads that the caller's user takes part in, those with the newest message first. */
export async function listThreads(
  tx: TenantTransaction,
  caller: Caller,
  { limit, offset }: ListThreadsInput,
): Promise<{ threads: ThreadRecord[]; pagination: Page }> {
  const userId = userOf(caller);
  const [rows, [count]] = await Promise.all([
    tx.query<ThreadRow>(LIST, [tx.clientId, userId, limit, offset]),
    tx.query<{ total: number }>(COUNT, [tx.clientId, userId]),
  ]);
  return { threads: rows.map(threadOf), pagination: { total: count?.total ?? 0, limit, offset } };
}

/** Newest first; 404 for a thread that the caller's user takes no part in. */
export async function listThreadMessages(
  tx: TenantTransaction,
  caller: Caller,
  { thread_id, limit, offset }: GetThreadMessagesInput,
): Promise<{ messages: ThreadMessageRecord[]; pagination: Page }> {
  const [[thread], rows, [count]] = await Promise.all([
    tx.query(FIND, [tx.clientId, userOf(caller), thread_id]),
    tx.query<MessageRow>(LIST_MESSAGES, [tx.clientId, thread_id, limit, offset]),
    tx.query<{ total: number }>(COUNT_MESSAGES, [tx.clientId, thread_id]),
  ]);
  if (thread === undefined) throw ApiError.notFound('thread', thread_id);
  return { messages: rows.map(messageOf), pagination: { total: count?.total ?? 0, limit, offset } };
}

/** Threads are between people: a key reads and writes those of its owner, whatever the owner's role. */
function userOf({ userId }: Caller): number {
  if (userId === null) throw new Error('actions are called with API keys, and each has an owner');
  return userId;
}

async function threadFor(
  tx: TenantTransaction,
  caller: Caller,
  senderId: number,
  { thread_id, participant_user_ids: others, subject }: SendThreadMessageInput,
): Promise<string> {
  if (thread_id === undefined) {
    if (others === undefined) {
      throw ApiError.badRequest('thread_id', 'one of thread_id and participant_user_ids is required');
    }
    return openThread(tx, caller, { senderId, others, subject });
  }
  if (others !== undefined) throw ApiError.invalid('participant_user_ids', 'give either thread_id or this');
  if (subject !== undefined) throw ApiError.invalid('subject', 'a thread keeps the subject it was opened with');
  const [thread] = await tx.query(LOCK, [tx.clientId, senderId, thread_id]);
  if (thread === undefined) throw ApiError.notFound('thread', thread_id);
  return thread_id;
}

/** The files, as they are now and in the order given: a message shows what it was sent with. */
async function referredFiles(tx: TenantTransaction, ids: readonly number[]): Promise<ThreadMessageAttachment[]> {
  const files = new Map((await findAttachments(tx, ids)).map((file) => [file.id, file]));
  const issues = ids.flatMap((id, index) =>
    files.has(id) ? [] : [{ field: `attachments[${String(index)}]`, issue: `there is no attachment ${String(id)}` }],
  );
  if (issues.length > 0) throw ApiError.ofFields(issues);
  return [...new Set(ids)]
    .flatMap((id) => files.get(id) ?? [])
    .map(({ id, work_item_id, file_name, content_type, size, download_path }) => ({
      attachment_id: id,
      work_item_id,
      file_name,
      content_type,
      size,
      download_path,
    }));
}
