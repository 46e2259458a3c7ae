import { updateComment } from '../../../domain/comments/index.ts';
import { CommentView, UpdateComment } from '../../../domain/contracts/comments.ts';
import { operation } from '../../operation.ts';

export const updateCommentOperation = operation({
  name: 'update-comment',
  title: 'Change a comment',
  description:
    'Changes the text of a comment. Its author, an owner or an admin may; a billing or finance comment stays as it is (409). Sends work_item.comment_updated.',
  area: 'Comments',
  scopes: ['comments:write', 'work_items:write'],
  input: UpdateComment,
  output: CommentView,
  effects: 'write',
  route: {
    method: 'put',
    path: '/api/v1/work-items/{work_item_id}/comments',
    auth: ['jwt', 'oauth'],
    params: ['work_item_id'],
    query: ['comment_id'],
  },
  errors: ['NOT_FOUND', 'FORBIDDEN', 'CONFLICT'],
  run: async ({ caller, tx }, input) => ({ data: await updateComment(tx, caller, input) }),
});
