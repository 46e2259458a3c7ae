import { audit } from '../audit/index.ts';
import type { Attachment, ListAttachmentsInput, OneAttachmentInput } from '../contracts/attachments.ts';
import type { Caller } from '../contracts/caller.ts';
import { isoMoment } from '../contracts/common.ts';
import type { Page } from '../contracts/common.ts';
import { ApiError } from '../contracts/errors.ts';
import { recordEvent } from '../events/index.ts';
import { findWorkItem } from '../work-items/index.ts';
import { statement } from '../../platform/db/statement.ts';
import type { TenantTransaction } from '../../platform/db/transaction.ts';
import { mayDelete } from './may-delete.ts';
import type { Added } from './may-delete.ts';
import { claimUpload, noteUnclaimed } from './uploads.service.ts';
import type { Upload } from './uploads.service.ts';

const COLUMNS = `id, file_name, content_type, size, sha256, user_id, created_at`;

const INSERT = statement(`
  insert into work_item_attachments (client_id, work_item_id, file_name, content_type, size, sha256, blob_key, user_id,
    created_by_type, created_by_id)
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) returning ${COLUMNS}`);
const GET = statement(`
  select ${COLUMNS}, blob_key from work_item_attachments
  where client_id = $1 and work_item_id = $2 and id = $3 and deleted_at is null`);
const GET_SEVERAL = statement(`
  select ${COLUMNS}, item from (
    select a.*, (
      select w.work_item_id from work_items w
      where w.client_id = $1 and w.id = a.work_item_id and w.deleted_at is null) as item
    from work_item_attachments a where client_id = $1 and id = any($2::bigint[]) and deleted_at is null) files
  where item is not null`);
const LIST = statement(`
  select ${COLUMNS} from work_item_attachments
  where client_id = $1 and work_item_id = $2 and deleted_at is null order by id desc limit $3 offset $4`);
const COUNT = statement(`
  select count(*) as total from work_item_attachments where client_id = $1 and work_item_id = $2 and deleted_at is null`);
const LOCK = statement(`
  select ${COLUMNS}, blob_key, created_by_type, created_by_id from work_item_attachments
  where client_id = $1 and work_item_id = $2 and id = $3 and deleted_at is null for update`);
const DELETE = statement(`
  update work_item_attachments set deleted_at = now(), deleted_by = $3 where client_id = $1 and id = $2`);

interface AttachmentRow extends Record<string, unknown> {
  id: number;
  file_name: string;
  content_type: string;
  size: number;
  sha256: string;
  user_id: number | null;
  created_at: Date;
}

interface LockedRow extends AttachmentRow, Added {
  blob_key: string;
}

/** Hangs a stored file on a work item. */
export async function addAttachment(
  tx: TenantTransaction,
  caller: Caller,
  ref: string,
  upload: Upload,
): Promise<Attachment> {
  if (upload.size === 0) throw ApiError.invalid('file', 'is empty');
  const item = await findWorkItem(tx, ref);
  await claimUpload(tx, upload.blobKey);
  const { fileName, mediaType, size, sha256, blobKey } = upload;
  const { actor, userId } = caller;
  const values = [tx.clientId, item.id, fileName, mediaType, size, sha256, blobKey, userId, actor.type, actor.id];
  const [row] = await tx.query<AttachmentRow>(INSERT, values);
  if (row === undefined) throw new Error('insert into work_item_attachments returned no row');
  const attachment = viewOf(row, item.work_item_id);
  audit(tx, caller, {
    action: 'work_item.attachment_added',
    subjectType: 'work_item',
    subjectId: item.work_item_id,
    details: { attachment_id: attachment.id, file_name: fileName, size, sha256 },
  });
  recordEvent(tx, { name: 'work_item.attachment_added', data: { work_item: item, attachment }, workItemId: item.id });
  return attachment;
}

/** Newest first. */
export async function listAttachments(
  tx: TenantTransaction,
  { work_item_id, limit, offset }: ListAttachmentsInput,
): Promise<{ attachments: Attachment[]; pagination: Page }> {
  const item = await findWorkItem(tx, work_item_id);
  const [rows, [count]] = await Promise.all([
    tx.query<AttachmentRow>(LIST, [tx.clientId, item.id, limit, offset]),
    tx.query<{ total: number }>(COUNT, [tx.clientId, item.id]),
  ]);
  return {
    attachments: rows.map((row) => viewOf(row, item.work_item_id)),
    pagination: { total: count?.total ?? 0, limit, offset },
  };
}

/** One file and where its bytes are. */
export async function findAttachment(
  tx: TenantTransaction,
  { work_item_id, attachment_id }: OneAttachmentInput,
): Promise<{ attachment: Attachment; blobKey: string }> {
  const item = await findWorkItem(tx, work_item_id);
  const [row] = await tx.query<AttachmentRow & { blob_key: string }>(GET, [tx.clientId, item.id, attachment_id]);
  if (row === undefined) throw ApiError.notFound('attachment', attachment_id);
  return { attachment: viewOf(row, item.work_item_id), blobKey: row.blob_key };
}

/** Files of any work items, for whoever refers to them. Those that are not there are left out, with those of deleted items. */
export async function findAttachments(tx: TenantTransaction, ids: readonly number[]): Promise<Attachment[]> {
  if (ids.length === 0) return [];
  const rows = await tx.query<AttachmentRow & { item: string }>(GET_SEVERAL, [tx.clientId, ids]);
  return rows.map((row) => viewOf(row, row.item));
}

/** Takes a file off its work item; its bytes are removed by the next maintenance. */
export async function deleteAttachment(
  tx: TenantTransaction,
  caller: Caller,
  { work_item_id, attachment_id }: OneAttachmentInput,
  now: number,
): Promise<Attachment> {
  const item = await findWorkItem(tx, work_item_id);
  const [row] = await tx.query<LockedRow>(LOCK, [tx.clientId, item.id, attachment_id]);
  if (row === undefined) throw ApiError.notFound('attachment', attachment_id);
  if (!(await mayDelete(tx, caller, row))) {
    throw new ApiError('FORBIDDEN', 'Only who added it, an owner or an admin may delete an attachment.');
  }
  tx.write(DELETE, [tx.clientId, row.id, `${caller.actor.type}:${caller.actor.id}`]);
  noteUnclaimed(tx, row.blob_key, now);
  audit(tx, caller, {
    action: 'work_item.attachment_deleted',
    subjectType: 'work_item',
    subjectId: item.work_item_id,
    details: { attachment_id, file_name: row.file_name, sha256: row.sha256 },
  });
  return viewOf(row, item.work_item_id);
}

function viewOf(row: AttachmentRow, workItemId: string): Attachment {
  return {
    id: row.id,
    work_item_id: workItemId,
    file_name: row.file_name,
    content_type: row.content_type,
    size: row.size,
    sha256: row.sha256,
    user_id: row.user_id,
    download_path: `/api/v1/work-items/${workItemId}/attachments/${String(row.id)}`,
    created_at: isoMoment(row.created_at),
  };
}
