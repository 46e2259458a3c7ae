import { createComment } from '../../../domain/comments/index.ts';
import { CommentView, CreateComment } from '../../../domain/contracts/comments.ts';
import { operation } from '../../operation.ts';

export const createCommentOperation = operation({
  name: 'create-comment',
  title: 'Comment on a work item',
  description:
    'Adds a comment to a work item; the author is the user whose token or API key is used. Mark it is_internal where the customer must not see it. Find the work_item_id with list-work-items. Sends work_item.comment_added.',
  area: 'Comments',
  scopes: ['comments:write', 'work_items:write'],
  input: CreateComment,
  output: CommentView,
  effects: 'write',
  action: true,
  route: {
    method: 'post',
    path: '/api/v1/work-items/{work_item_id}/comments',
    auth: ['jwt', 'oauth'],
    params: ['work_item_id'],
    status: 201,
  },
  errors: ['NOT_FOUND'],
  run: async ({ caller, tx }, input) => ({ data: await createComment(tx, caller, input) }),
});
