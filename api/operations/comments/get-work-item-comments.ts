import { listComments } from '../../../domain/comments/index.ts';
import { CommentList, ListComments } from '../../../domain/contracts/comments.ts';
import { operation } from '../../operation.ts';

export const getWorkItemCommentsOperation = operation({
  name: 'get-work-item-comments',
  title: 'List the comments of a work item',
  description:
    'Lists the comments on one work item, newest first, internal ones included. Find the work_item_id with list-work-items; add a comment with create-comment.',
  area: 'Comments',
  scopes: ['work_items:read', 'comments:read'],
  input: ListComments,
  output: CommentList,
  paginated: true,
  effects: 'read',
  action: true,
  route: {
    method: 'get',
    path: '/api/v1/work-items/{work_item_id}/comments',
    auth: ['jwt', 'oauth'],
    params: ['work_item_id'],
    unwrap: 'comments',
  },
  errors: ['NOT_FOUND'],
  run: async ({ tx }, input) => {
    const { comments, pagination } = await listComments(tx, input);
    return { data: { comments }, pagination };
  },
});
