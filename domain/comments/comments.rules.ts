import type { Caller } from '../contracts/caller.ts';
import type { CommentType } from '../contracts/comments.ts';

const IMMUTABLE: ReadonlySet<CommentType> = new Set<CommentType>(['billing', 'finance']);

/** Comments that money hangs on stay as they were written (spec, "Comment events"). */
export function isImmutable(type: CommentType): boolean {
  return IMMUTABLE.has(type);
}

/** The author may change a comment, and so may owner and admin. */
export function mayChange(
  { actor, userId, role }: Pick<Caller, 'actor' | 'userId' | 'role'>,
  comment: { user_id: number | null; created_by_type: string; created_by_id: string },
): boolean {
  if (role === 'owner' || role === 'admin') return true;
  if (comment.user_id !== null) return comment.user_id === userId;
  return comment.created_by_type === actor.type && comment.created_by_id === actor.id;
}
