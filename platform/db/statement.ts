import { createHash } from 'node:crypto';

/** A statement that PostgreSQL plans once per connection and then runs by name. */
export interface Statement {
  /** Empty for one that is not kept. */
  readonly name: string;
  readonly text: string;
}

/**
 * Declares a prepared statement. Its name is a digest of its text, so two places that say the same SQL share a plan and
 * a changed text never meets an old plan.
 */
export function statement(text: string): Statement {
  return { name: createHash('sha256').update(text).digest('base64url').slice(0, 22), text };
}

/**
 * A statement that is planned anew for its values in each run, and not kept. For SQL that comes in very many forms, and
 * for what no one plan is right for: a filter that leaves half of a large client's rows and none of a small one's.
 */
export function unprepared(text: string): Statement {
  return { name: '', text };
}
