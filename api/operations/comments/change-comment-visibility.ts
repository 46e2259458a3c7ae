import { changeCommentVisibility } from '../../../domain/comments/index.ts';
import { ChangeCommentVisibility, CommentView } from '../../../domain/contracts/comments.ts';
import { operation } from '../../operation.ts';

export const changeCommentVisibilityOperation = operation({
  name: 'change-comment-visibility',
  title: 'Change who a comment is for',
  description:
    'Makes a comment internal or not, or changes its type. Its author, an owner or an admin may; a billing or finance comment stays as it is (409), and no comment becomes one. Sends work_item.comment_visibility_changed with the old and the new visibility.',
  area: 'Comments',
  scopes: ['comments:write', 'work_items:write'],
  input: ChangeCommentVisibility,
  output: CommentView,
  effects: 'write',
  route: {
    method: 'patch',
    path: '/api/v1/work-items/{work_item_id}/comments/{comment_id}',
    auth: ['jwt', 'oauth'],
    params: ['work_item_id', 'comment_id'],
  },
  errors: ['NOT_FOUND', 'FORBIDDEN', 'CONFLICT'],
  run: async ({ caller, tx }, input) => ({ data: await changeCommentVisibility(tx, caller, input) }),
});
