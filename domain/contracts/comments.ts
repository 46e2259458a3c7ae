import { z } from 'zod';
import { bigIdField, Moment, textField, windowFields } from './common.ts';
import { WorkItemRef } from './work-items.ts';

/** `billing` and `finance` ones can't be changed once written (spec, "Comment events"). */
export const COMMENT_TYPES = ['general', 'internal', 'customer', 'billing', 'finance'] as const;
export type CommentType = (typeof COMMENT_TYPES)[number];

const CHANGEABLE_TYPES = ['general', 'internal', 'customer'] as const;

const MAX_BODY = 20_000;

const body = textField(MAX_BODY, 'What is said, as plain text or Markdown').meta({
  example: 'The pump is ordered; it arrives on Thursday.',
});
const commentId = bigIdField('Integer id of the comment').meta({ example: 52 });

export const CreateComment = z.strictObject({
  work_item_id: WorkItemRef,
  body,
  is_internal: z.boolean().default(false).describe('Only for colleagues, not for the customer'),
  comment_type: z
    .enum(COMMENT_TYPES)
    .default('general')
    .describe('What the comment is about; billing and finance comments can never be changed or deleted')
    .meta({ example: 'general' }),
});
export type CreateCommentInput = z.output<typeof CreateComment>;

export const ListComments = z.strictObject({ work_item_id: WorkItemRef, ...windowFields() });
export type ListCommentsInput = z.output<typeof ListComments>;

export const OneComment = z.strictObject({ work_item_id: WorkItemRef, comment_id: commentId });
export type OneCommentInput = z.output<typeof OneComment>;

export const UpdateComment = z.strictObject({ work_item_id: WorkItemRef, comment_id: commentId, body });
export type UpdateCommentInput = z.output<typeof UpdateComment>;

export const ChangeCommentVisibility = z.strictObject({
  work_item_id: WorkItemRef,
  comment_id: commentId,
  is_internal: z.boolean().describe('Only for colleagues, not for the customer').optional(),
  comment_type: z.enum(CHANGEABLE_TYPES).describe('What the comment is about').optional(),
});
export type ChangeCommentVisibilityInput = z.output<typeof ChangeCommentVisibility>;

export const CommentView = z
  .object({
    id: z.int().describe('Integer id').meta({ example: 52 }),
    work_item_id: z.uuid().describe('UUID of the work item'),
    body: z.string().meta({ example: 'The pump is ordered; it arrives on Thursday.' }),
    comment_type: z.enum(COMMENT_TYPES),
    is_internal: z.boolean(),
    user_id: z.int().nullable().describe('Who wrote it; null for a program that acts for nobody'),
    author_name: z.string().nullable().describe('Name of that user').meta({ example: 'Thandi Mokoena' }),
    created_at: Moment,
    updated_at: Moment,
  })
  .meta({ id: 'Comment' });
export type Comment = z.output<typeof CommentView>;

export const CommentList = z.object({ comments: z.array(CommentView) });
