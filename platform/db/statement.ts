import { createHash } from 'node:crypto';

/** A statement that PostgreSQL plans once per connection and then runs by name. */
export interface Statement {
  /** Empty for one that is not kept. */
  readonly name: string;
  readonly text: string;
  /** It may run for long where there is much to read: no other read is to wait for it. */
  readonly isLong?: true;
}

/**
 * Declares a prepared statement. Its name is a digest of its text, so two places that say the same SQL share a plan and
 * a changed text never meets an old plan.
 */
export function statement(text: string): Statement {
  return { name: createHash('sha256').update(text).digest('base64url').slice(0, 22), text };
}

/** The same for one that may run for tens of milliseconds: it never shares its way with other reads. */
export function longStatement(text: string): Statement {
  return { ...statement(text), isLong: true };
}

/**
 * A statement that is planned anew for its values in each run, and not kept. For SQL that comes in very many forms, and
 * for what no one plan is right for: a filter that leaves half of a large client's rows and none of a small one's.
 */
export function unprepared(text: string): Statement {
  return { name: '', text };
}
