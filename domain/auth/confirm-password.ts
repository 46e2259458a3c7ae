import type { Caller } from '../contracts/caller.ts';
import { ApiError } from '../contracts/errors.ts';
import type { RevealRefusal } from '../keys/index.ts';
import type { SystemDatabase } from '../../platform/db/database.ts';
import { statement } from '../../platform/db/statement.ts';
import { verifyPassword } from '../../platform/password.ts';
import { countTry, forgetFailures } from './failures.ts';
import type { CountedTry } from './failures.ts';

const MAX_WRONG = 5;

const FIND_HASH = statement(`select password_hash from users where id = $1 and client_id = $2 and is_active`);

/**
 * Whether a signed-in user gave its own password; undefined when it did. After 5 wrong ones in 15 minutes the right one
 * is refused too (decisions §2). The count is committed before the answer.
 */
export async function passwordRefusal(
  system: SystemDatabase,
  caller: Caller,
  password: string,
): Promise<RevealRefusal | undefined> {
  const subject = `reveal:${String(caller.userId)}`;
  let counted: CountedTry;
  try {
    counted = await countTry(system, [subject], MAX_WRONG);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return { outcome: 'too_many_tries', refusal: error };
  }
  const [user] = await system.query<{ password_hash: string | null }>(FIND_HASH, [caller.userId, caller.clientId]);
  if (!(await verifyPassword(password, user?.password_hash ?? undefined))) {
    return { outcome: 'wrong_password', refusal: new ApiError('FORBIDDEN', 'The password is wrong.') };
  }
  await forgetFailures(system, subject, counted);
  return undefined;
}
