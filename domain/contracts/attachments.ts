import { z } from 'zod';
import { bigIdField, Moment, windowFields } from './common.ts';
import { WorkItemRef } from './work-items.ts';

/** Largest file that is taken (decisions §6). */
export const MAX_ATTACHMENT_BYTES = 26_214_400;

export const AttachmentId = bigIdField('Integer id of the attachment, from get-work-item-attachments').meta({
  example: 118,
});

export const AddAttachment = z.strictObject({ work_item_id: WorkItemRef });

export const ListAttachments = z.strictObject({ work_item_id: WorkItemRef, ...windowFields() });
export type ListAttachmentsInput = z.output<typeof ListAttachments>;

export const OneAttachment = z.strictObject({ work_item_id: WorkItemRef, attachment_id: AttachmentId });
export type OneAttachmentInput = z.output<typeof OneAttachment>;

/** A file on a work item, without its bytes. */
export const AttachmentView = z
  .object({
    id: z.int().describe('Integer id').meta({ example: 118 }),
    work_item_id: z.uuid().describe('UUID of the work item'),
    file_name: z.string().meta({ example: 'pump before repair.jpg' }),
    content_type: z.string().describe('Found out from the content').meta({ example: 'image/jpeg' }),
    size: z.int().describe('Bytes').meta({ example: 482_133 }),
    sha256: z
      .string()
      .describe('Digest of the bytes, in hexadecimal')
      .meta({ example: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08' }),
    user_id: z.int().nullable().describe('User who added it; null for a program that acts for nobody'),
    download_path: z
      .string()
      .describe('Where the bytes are: GET it with your API key in X-API-Key, or with your access token')
      .meta({ example: '/api/v1/work-items/0198c5c8-27ba-7c4e-8a3d-5f1c0e7b9a10/attachments/118' }),
    created_at: Moment,
  })
  .meta({ id: 'Attachment' });
export type Attachment = z.output<typeof AttachmentView>;

export const AttachmentList = z.object({ attachments: z.array(AttachmentView) });
