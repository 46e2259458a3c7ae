import { audit } from '../audit/index.ts';
import type { Caller } from '../contracts/caller.ts';
import type {
  ChangeCommentVisibilityInput,
  Comment,
  CreateCommentInput,
  ListCommentsInput,
  OneCommentInput,
  UpdateCommentInput,
} from '../contracts/comments.ts';
import type { Page } from '../contracts/common.ts';
import { ApiError } from '../contracts/errors.ts';
import type { WorkItem } from '../contracts/work-items.ts';
import { recordEvent } from '../events/index.ts';
import { findWorkItem } from '../work-items/index.ts';
import { statement } from '../../platform/db/statement.ts';
import type { TenantTransaction } from '../../platform/db/transaction.ts';
import { COLUMNS, viewOf } from './comment.view.ts';
import type { CommentRow } from './comment.view.ts';
import { isImmutable, mayChange } from './comments.rules.ts';

const INSERT = statement(`
  insert into work_item_comments as c (client_id, work_item_id, body, comment_type, is_internal, user_id,
    created_by_type, created_by_id)
  values ($1, $2, $3, $4, $5, $6, $7, $8) returning ${COLUMNS}`);
const LOCK = statement(`
  select ${COLUMNS} from work_item_comments c
  where c.client_id = $1 and c.work_item_id = $2 and c.id = $3 and c.deleted_at is null for update`);
const LIST = statement(`
  select ${COLUMNS} from work_item_comments c
  where c.client_id = $1 and c.work_item_id = $2 and c.deleted_at is null order by c.id desc limit $3 offset $4`);
const COUNT = statement(`
  select count(*) as total from work_item_comments where client_id = $1 and work_item_id = $2 and deleted_at is null`);
const UPDATE = statement(`
  update work_item_comments c set body = $3, is_internal = $4, comment_type = $5, updated_at = now()
  where c.client_id = $1 and c.id = $2 returning ${COLUMNS}`);
const DELETE = statement(`
  update work_item_comments set deleted_at = now(), deleted_by = $3 where client_id = $1 and id = $2`);

export async function createComment(
  tx: TenantTransaction,
  caller: Caller,
  { work_item_id, body, comment_type, is_internal }: CreateCommentInput,
): Promise<Comment> {
  const item = await findWorkItem(tx, work_item_id);
  const { actor, userId } = caller;
  const values = [tx.clientId, item.id, body, comment_type, is_internal, userId, actor.type, actor.id];
  const comment = viewOf(only(await tx.query<CommentRow>(INSERT, values)), item.work_item_id);
  note(tx, caller, 'comment_added', { item, comment, details: { comment_type, is_internal } });
  return comment;
}

/** Newest first. */
export async function listComments(
  tx: TenantTransaction,
  { work_item_id, limit, offset }: ListCommentsInput,
): Promise<{ comments: Comment[]; pagination: Page }> {
  const item = await findWorkItem(tx, work_item_id);
  const [rows, [count]] = await Promise.all([
    tx.query<CommentRow>(LIST, [tx.clientId, item.id, limit, offset]),
    tx.query<{ total: number }>(COUNT, [tx.clientId, item.id]),
  ]);
  return {
    comments: rows.map((row) => viewOf(row, item.work_item_id)),
    pagination: { total: count?.total ?? 0, limit, offset },
  };
}

export async function updateComment(
  tx: TenantTransaction,
  caller: Caller,
  input: UpdateCommentInput,
): Promise<Comment> {
  const { item, row } = await changeable(tx, caller, input);
  if (row.body === input.body) return viewOf(row, item.work_item_id);
  const comment = await save(tx, item, { ...row, body: input.body });
  const details = { changes: { body: { from: row.body, to: comment.body } } };
  note(tx, caller, 'comment_updated', { item, comment, details });
  return comment;
}

export async function deleteComment(tx: TenantTransaction, caller: Caller, input: OneCommentInput): Promise<Comment> {
  const { item, row } = await changeable(tx, caller, input);
  tx.write(DELETE, [tx.clientId, row.id, `${caller.actor.type}:${caller.actor.id}`]);
  const comment = viewOf(row, item.work_item_id);
  note(tx, caller, 'comment_deleted', { item, comment, details: { body: comment.body } });
  return comment;
}

/** Changes who a comment is for; nothing is told of a change that changes nothing. */
export async function changeCommentVisibility(
  tx: TenantTransaction,
  caller: Caller,
  input: ChangeCommentVisibilityInput,
): Promise<Comment> {
  if (input.is_internal === undefined && input.comment_type === undefined) {
    throw ApiError.badRequest('is_internal', 'one of is_internal and comment_type is required');
  }
  const { item, row } = await changeable(tx, caller, input);
  const old_visibility = { is_internal: row.is_internal, comment_type: row.comment_type };
  const new_visibility = {
    is_internal: input.is_internal ?? row.is_internal,
    comment_type: input.comment_type ?? row.comment_type,
  };
  const isSame =
    old_visibility.is_internal === new_visibility.is_internal &&
    old_visibility.comment_type === new_visibility.comment_type;
  if (isSame) return viewOf(row, item.work_item_id);
  const comment = await save(tx, item, { ...row, ...new_visibility });
  note(tx, caller, 'comment_visibility_changed', {
    item,
    comment,
    details: { changes: { visibility: { from: old_visibility, to: new_visibility } } },
    told: { old_visibility, new_visibility },
  });
  return comment;
}

/** The comment, locked, where it is one that this caller may change. */
async function changeable(
  tx: TenantTransaction,
  caller: Caller,
  { work_item_id, comment_id }: OneCommentInput,
): Promise<{ item: WorkItem; row: CommentRow }> {
  const item = await findWorkItem(tx, work_item_id);
  const [row] = await tx.query<CommentRow>(LOCK, [tx.clientId, item.id, comment_id]);
  if (row === undefined) throw ApiError.notFound('comment', comment_id);
  if (isImmutable(row.comment_type)) {
    throw new ApiError('CONFLICT', `A ${row.comment_type} comment can't be changed or deleted.`);
  }
  if (!mayChange(caller, row)) {
    throw new ApiError('FORBIDDEN', 'Only its author, an owner or an admin may change or delete a comment.');
  }
  return { item, row };
}

async function save(tx: TenantTransaction, item: WorkItem, row: CommentRow): Promise<Comment> {
  const values = [tx.clientId, row.id, row.body, row.is_internal, row.comment_type];
  return viewOf(only(await tx.query<CommentRow>(UPDATE, values)), item.work_item_id);
}

interface Noted {
  item: WorkItem;
  comment: Comment;
  details: Record<string, unknown>;
  told?: Record<string, unknown>;
}

/** The entry in the item's activity, and the event. */
function note(tx: TenantTransaction, caller: Caller, what: string, { item, comment, details, told }: Noted): void {
  const name = `work_item.${what}`;
  audit(tx, caller, {
    action: name,
    subjectType: 'work_item',
    subjectId: item.work_item_id,
    details: { comment_id: comment.id, ...details },
  });
  recordEvent(tx, { name, data: { work_item: item, comment, ...told }, workItemId: item.id });
}

function only(rows: readonly CommentRow[]): CommentRow {
  const [row] = rows;
  if (row === undefined) throw new Error('work_item_comments returned no row');
  return row;
}
