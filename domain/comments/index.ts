export {
  changeCommentVisibility,
  createComment,
  deleteComment,
  listComments,
  updateComment,
} from './comments.service.ts';
