import { addWorkItemAttachmentOperation } from './add-work-item-attachment.ts';
import { deleteWorkItemAttachmentOperation } from './delete-work-item-attachment.ts';
import { downloadWorkItemAttachmentOperation } from './download-work-item-attachment.ts';
import { getWorkItemAttachmentsOperation } from './get-work-item-attachments.ts';
import type { Operation } from '../../operation.ts';

export const attachmentOperations: readonly Operation[] = [
  addWorkItemAttachmentOperation,
  getWorkItemAttachmentsOperation,
  downloadWorkItemAttachmentOperation,
  deleteWorkItemAttachmentOperation,
];
