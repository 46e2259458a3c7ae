import type { Comment } from '../contracts/comments.ts';
import { isoMoment } from '../contracts/common.ts';

/** The columns of `work_item_comments` (alias c) that {@link viewOf} turns into the wire form. */
export const COLUMNS = `c.id, c.body, c.comment_type, c.is_internal, c.user_id, c.created_by_type, c.created_by_id,
  c.created_at, c.updated_at,
  (select u.name from users u where u.client_id = c.client_id and u.id = c.user_id) as author_name`;

export type CommentRow = Omit<Comment, 'work_item_id' | 'created_at' | 'updated_at'> & {
  created_by_type: string;
  created_by_id: string;
  created_at: Date;
  updated_at: Date;
};

export function viewOf(row: CommentRow, workItemId: string): Comment {
  return {
    id: row.id,
    work_item_id: workItemId,
    body: row.body,
    comment_type: row.comment_type,
    is_internal: row.is_internal,
    user_id: row.user_id,
    author_name: row.author_name,
    created_at: isoMoment(row.created_at),
    updated_at: isoMoment(row.updated_at),
  };
}
