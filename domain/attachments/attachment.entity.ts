import { defineEntity, p } from '@mikro-orm/core';
import { column } from '../../platform/db/columns.ts';

/** A file on a work item; its bytes are in the blob store under `blob_key`. */
export const WorkItemAttachment = defineEntity({
  name: 'WorkItemAttachment',
  tableName: 'work_item_attachments',
  properties: {
    id: column.bigId(),
    client_id: column.clientId(),
    work_item_id: p.bigint('number'),
    file_name: p.text(),
    content_type: p.text(),
    size: p.bigint('number'),
    sha256: p.text(),
    blob_key: p.text(),
    user_id: p.integer().nullable(),
    created_by_type: p.text(),
    created_by_id: p.text(),
    deleted_at: column.moment().nullable(),
    deleted_by: p.text().nullable(),
    created_at: column.createdAt(),
  },
  uniques: [{ name: 'work_item_attachments_blob_unique', properties: ['blob_key'] }],
  indexes: [
    {
      name: 'work_item_attachments_item_index',
      properties: ['work_item_id', 'id'],
      where: '"deleted_at" is null',
    },
  ],
});
