import { AttachmentView, OneAttachment } from '../../../domain/contracts/attachments.ts';
import { deleteAttachment } from '../../../domain/attachments/index.ts';
import { operation } from '../../operation.ts';

export const deleteWorkItemAttachmentOperation = operation({
  name: 'delete-work-item-attachment',
  title: 'Delete an attachment',
  description:
    'Takes a file off its work item. It can no longer be downloaded, and its bytes are removed. Who added the file may, and so may owners and admins (403 for others).',
  area: 'Attachments',
  scopes: ['work_items:write'],
  input: OneAttachment,
  output: AttachmentView,
  effects: 'destructive',
  route: {
    method: 'delete',
    path: '/api/v1/work-items/{work_item_id}/attachments/{attachment_id}',
    auth: ['api_key', 'jwt', 'oauth'],
    params: ['work_item_id', 'attachment_id'],
  },
  errors: ['NOT_FOUND', 'FORBIDDEN'],
  run: async ({ caller, tx, services }, input) => ({
    data: await deleteAttachment(tx, caller, input, services.clock.now()),
  }),
});
