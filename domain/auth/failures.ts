import { ApiError } from '../contracts/errors.ts';
import { statement } from '../../platform/db/statement.ts';
import type { SystemDatabase } from '../../platform/db/database.ts';

const WINDOW_SECONDS = 15 * 60;

const COUNT = statement(`
  select count(*) as failures, extract(epoch from min(at) + make_interval(secs => $2) - now())::int as wait_seconds
  from auth_failures where subject = $1 and at > now() - make_interval(secs => $2)`);
const INSERT = statement(`insert into auth_failures (subject) select unnest($1::text[])`);
const FORGET = statement(`delete from auth_failures where subject = $1`);

/** Refuses with 429 when one of `subjects` has failed `limit` times within 15 minutes (decisions §1, §2). */
export async function refuseAfterFailures(
  db: SystemDatabase,
  subjects: readonly string[],
  limit: number,
): Promise<void> {
  for (const subject of subjects) {
    const [row] = await db.query<{ failures: number; wait_seconds: number | null }>(COUNT, [subject, WINDOW_SECONDS]);
    if ((row?.failures ?? 0) < limit) continue;
    throw new ApiError('RATE_LIMITED', 'Too many wrong passwords; wait before the next try.', {
      retryAfterSeconds: Math.max(1, row?.wait_seconds ?? WINDOW_SECONDS),
    });
  }
}

/** Counts a wrong password. Written at once and on its own, so that it outlives the refusal (decisions §3). */
export async function recordFailure(db: SystemDatabase, subjects: readonly string[]): Promise<void> {
  await db.query(INSERT, [subjects]);
}

export async function forgetFailures(db: SystemDatabase, subject: string): Promise<void> {
  await db.query(FORGET, [subject]);
}
