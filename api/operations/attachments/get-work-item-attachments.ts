import { AttachmentList, ListAttachments } from '../../../domain/contracts/attachments.ts';
import { listAttachments } from '../../../domain/attachments/index.ts';
import { operation } from '../../operation.ts';

export const getWorkItemAttachmentsOperation = operation({
  name: 'get-work-item-attachments',
  title: 'List the attachments of a work item',
  description:
    'Lists the files on one work item, newest first: name, type, size and digest of each, and the path where its bytes can be downloaded (GET it with your API key in X-API-Key, or with your access token). Files are added by POST /api/v1/work-items/{work_item_id}/attachments, as multipart/form-data in the field `file`. Find the work_item_id with list-work-items.',
  area: 'Attachments',
  scopes: ['work_items:read'],
  input: ListAttachments,
  output: AttachmentList,
  paginated: true,
  effects: 'read',
  action: true,
  route: {
    method: 'get',
    path: '/api/v1/work-items/{work_item_id}/attachments',
    auth: ['api_key', 'jwt', 'oauth'],
    params: ['work_item_id'],
    unwrap: 'attachments',
  },
  errors: ['NOT_FOUND'],
  run: async ({ tx }, input) => {
    const { attachments, pagination } = await listAttachments(tx, input);
    return { data: { attachments }, pagination };
  },
});
