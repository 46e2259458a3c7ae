import { deleteComment } from '../../../domain/comments/index.ts';
import { CommentView, OneComment } from '../../../domain/contracts/comments.ts';
import { operation } from '../../operation.ts';

export const deleteCommentOperation = operation({
  name: 'delete-comment',
  title: 'Delete a comment',
  description:
    'Deletes a comment. Its author, an owner or an admin may; a billing or finance comment stays (409). Sends work_item.comment_deleted.',
  area: 'Comments',
  scopes: ['comments:write', 'work_items:write'],
  input: OneComment,
  output: CommentView,
  effects: 'destructive',
  route: {
    method: 'delete',
    path: '/api/v1/work-items/{work_item_id}/comments',
    auth: ['jwt', 'oauth'],
    params: ['work_item_id'],
  },
  errors: ['NOT_FOUND', 'FORBIDDEN', 'CONFLICT'],
  run: async ({ caller, tx }, input) => ({ data: await deleteComment(tx, caller, input) }),
});
