import { ApiError } from '../contracts/errors.ts';
import { statement } from '../../platform/db/statement.ts';
import type { SystemDatabase } from '../../platform/db/database.ts';

const FAILED_PASSWORDS: CountedWindow = {
  seconds: 15 * 60,
  refusal: 'Too many wrong passwords; wait before the next try.',
};

/** Failed sign-ins of one account, and from one address, within the window. */
export const MAX_LOGIN_FAILURES = 10;

export function loginSubject(email: string): string {
  return `login:${email.toLowerCase()}`;
}

export function addressSubject(address: string): string {
  return `login-address:${address}`;
}

/** What is counted together, and what is said when it was too much. */
export interface CountedWindow {
  seconds: number;
  refusal: string;
}

const LOCK = statement(`
  select pg_advisory_xact_lock(hashtextextended(subject, 0)) from (select unnest($1::text[]) as subject order by 1) s`);
const COUNT = statement(`
  select count(*) as failures, extract(epoch from min(at) + make_interval(secs => $2) - now())::int as wait_seconds
  from auth_failures where subject = any($1) and at > now() - make_interval(secs => $2)
  group by subject order by failures desc limit 1`);
const INSERT = statement(`insert into auth_failures (subject) select unnest($1::text[]) returning id`);
const TAKE_BACK = statement(`delete from auth_failures where id = any($1) or subject = $2`);

/** Tries that were counted, to be taken back when the password turns out right. */
export type CountedTry = readonly number[];

/**
 * Counts a try as failed for each of `subjects` (an account, an address) before the password is looked at: tries made at
 * the same moment can't be more than the limit, and the count outlives the refusal. RATE_LIMITED when one of them has
 * failed `limit` times within 15 minutes (decisions §1, §2), or within another `window`.
 */
export async function countTry(
  db: SystemDatabase,
  subjects: readonly string[],
  limit: number,
  window = FAILED_PASSWORDS,
): Promise<CountedTry> {
  return db.transaction(async (tx) => {
    tx.write(LOCK, [subjects]);
    const [worst] = await tx.query<{ failures: number; wait_seconds: number }>(COUNT, [subjects, window.seconds]);
    if (worst !== undefined && worst.failures >= limit) {
      throw new ApiError('RATE_LIMITED', window.refusal, {
        retryAfterSeconds: Math.max(1, worst.wait_seconds),
      });
    }
    const rows = await tx.query<{ id: number }>(INSERT, [subjects]);
    return rows.map(({ id }) => id);
  });
}

/** The password was right: the try doesn't count, and what had failed on the account before is forgotten. */
export async function forgetFailures(db: SystemDatabase, account: string, counted: CountedTry): Promise<void> {
  await db.query(TAKE_BACK, [counted, account]);
}
