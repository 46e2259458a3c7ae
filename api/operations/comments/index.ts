import { changeCommentVisibilityOperation } from './change-comment-visibility.ts';
import { createCommentOperation } from './create-comment.ts';
import { deleteCommentOperation } from './delete-comment.ts';
import { getWorkItemCommentsOperation } from './get-work-item-comments.ts';
import { updateCommentOperation } from './update-comment.ts';
import type { Operation } from '../../operation.ts';

export const commentOperations: readonly Operation[] = [
  createCommentOperation,
  getWorkItemCommentsOperation,
  updateCommentOperation,
  deleteCommentOperation,
  changeCommentVisibilityOperation,
];
