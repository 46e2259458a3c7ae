import { createHash } from 'node:crypto';

/** A statement that PostgreSQL plans once per connection and then runs by name. */
export interface Statement {
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
