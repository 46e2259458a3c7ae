import { z } from 'zod';
import { bigIdField, idField, Moment, textField, windowFields } from './common.ts';

const threadId = z
  .uuid()
  .describe('UUID of the thread, from list-threads')
  .meta({ example: '0198c5d1-6f0e-7d5a-9a43-2f0d8c6b1e77' });

export const SendThreadMessage = z.strictObject({
  thread_id: threadId
    .describe('UUID of the thread to write in, from list-threads. Give this or participant_user_ids')
    .optional(),
  participant_user_ids: z
    .array(idField('User id, from get-active-users'))
    .min(1)
    .max(100)
    .describe('User ids of those to write to, where no thread_id is given; the sender takes part anyway')
    .meta({ example: [3, 7] })
    .optional(),
  subject: textField(200, 'Opens a new thread about this subject; only with participant_user_ids')
    .meta({ example: 'Pump at the north gate' })
    .optional(),
  body: textField(10_000, 'The message').meta({ example: 'The spare part has arrived.' }),
  attachments: z
    .array(bigIdField('Attachment id'))
    .max(20)
    .describe('Ids of files on work items that the message refers to, from get-work-item-attachments')
    .meta({ example: [118] })
    .optional(),
});
export type SendThreadMessageInput = z.output<typeof SendThreadMessage>;

export const ListThreads = z.strictObject(windowFields());
export type ListThreadsInput = z.output<typeof ListThreads>;

export const GetThreadMessages = z.strictObject({ thread_id: threadId, ...windowFields() });
export type GetThreadMessagesInput = z.output<typeof GetThreadMessages>;

const MessageAttachment = z
  .object({
    attachment_id: z.int().meta({ example: 118 }),
    work_item_id: z.uuid(),
    file_name: z.string().meta({ example: 'pump.jpg' }),
    content_type: z.string().meta({ example: 'image/jpeg' }),
    size: z.int(),
    download_path: z
      .string()
      .meta({ example: '/api/v1/work-items/0198c5c8-27ba-7c4e-8a3d-5f1c0e7b9a10/attachments/118' }),
  })
  .meta({ id: 'ThreadMessageAttachment' });
export type ThreadMessageAttachment = z.output<typeof MessageAttachment>;

export const ThreadMessageView = z
  .object({
    id: z.int().describe('Integer id; ascending').meta({ example: 2031 }),
    thread_id: z.uuid(),
    sender_id: z.int().nullable().describe('User who wrote it'),
    sender_name: z.string().nullable().meta({ example: 'Thandi Mokoena' }),
    body: z.string().meta({ example: 'The spare part has arrived.' }),
    attachments: z.array(MessageAttachment),
    created_at: Moment,
  })
  .meta({ id: 'ThreadMessage' });
export type ThreadMessageRecord = z.output<typeof ThreadMessageView>;

export const ThreadView = z
  .object({
    thread_id: z.uuid(),
    subject: z.string().nullable().describe('null: the direct thread of its participants'),
    participant_user_ids: z.array(z.int()).meta({ example: [1, 3, 7] }),
    last_message_at: Moment.nullable(),
    last_message_body: z.string().nullable().describe('Beginning of the newest message'),
    created_at: Moment,
  })
  .meta({ id: 'Thread' });
export type ThreadRecord = z.output<typeof ThreadView>;

export const SentThreadMessage = z.object({ thread: ThreadView, message: ThreadMessageView });
export const ThreadList = z.object({ threads: z.array(ThreadView) });
export const ThreadMessageList = z.object({ messages: z.array(ThreadMessageView) });
