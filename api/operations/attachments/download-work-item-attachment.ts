import { AttachmentView, OneAttachment } from '../../../domain/contracts/attachments.ts';
import { findAttachment } from '../../../domain/attachments/index.ts';
import { operation } from '../../operation.ts';

export const downloadWorkItemAttachmentOperation = operation({
  name: 'download-work-item-attachment',
  title: 'Download an attachment',
  description:
    'Sends the bytes of one file of a work item, always as a download. Its ETag is the digest: with If-None-Match the answer is 304 where you have the file already.',
  area: 'Attachments',
  scopes: ['work_items:read'],
  input: OneAttachment,
  output: AttachmentView,
  effects: 'read',
  route: {
    method: 'get',
    path: '/api/v1/work-items/{work_item_id}/attachments/{attachment_id}',
    auth: ['api_key', 'jwt', 'oauth'],
    params: ['work_item_id', 'attachment_id'],
    answers: 'binary',
  },
  errors: ['NOT_FOUND'],
  run: async ({ tx, services }, input) => {
    const { attachment, blobKey } = await findAttachment(tx, input);
    const { file_name: fileName, content_type: mediaType, size, sha256: etag } = attachment;
    const open = () => services.blobs.getStream(blobKey);
    return { data: attachment, content: { fileName, mediaType, size, etag, open } };
  },
});
