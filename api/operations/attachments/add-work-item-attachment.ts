import { AddAttachment, AttachmentView } from '../../../domain/contracts/attachments.ts';
import { addAttachment } from '../../../domain/attachments/index.ts';
import { operation } from '../../operation.ts';

export const addWorkItemAttachmentOperation = operation({
  name: 'add-work-item-attachment',
  title: 'Attach a file to a work item',
  description:
    'Uploads one file as multipart/form-data, in the field `file`, and hangs it on the work item. At most 25 MiB. The type is found out from the content; what the form says of it is not used. Sends work_item.attachment_added.',
  area: 'Attachments',
  scopes: ['work_items:write'],
  input: AddAttachment,
  output: AttachmentView,
  effects: 'write',
  route: {
    method: 'post',
    path: '/api/v1/work-items/{work_item_id}/attachments',
    auth: ['api_key', 'jwt', 'oauth'],
    params: ['work_item_id'],
    body: 'multipart',
    status: 201,
  },
  run: async ({ caller, tx, upload }, { work_item_id }) => {
    if (upload === undefined) throw new Error('the route of an upload brought no file');
    return { data: await addAttachment(tx, caller, work_item_id, upload) };
  },
});
