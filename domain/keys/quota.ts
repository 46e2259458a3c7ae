import type { Caller } from '../contracts/caller.ts';
import { ApiError } from '../contracts/errors.ts';
import { rateLimitTier } from '../tenancy/index.ts';
import { statement } from '../../platform/db/statement.ts';
import type { TenantTransaction } from '../../platform/db/transaction.ts';

// Held until the commit, it makes «count, then add» one step: two creates at once can't pass max_api_keys. The count is
// a statement of its own because it must see what the holder before committed.
const LOCK_QUOTA = statement(`select pg_advisory_xact_lock(hashtextextended('api_keys', $1))`);
const COUNT_ACTIVE = statement(`
  select count(*) as active from api_keys
  where client_id = $1 and is_active and (expires_at is null or expires_at > $2)`);

/** UNPROCESSABLE_ENTITY when one more active key would be more than the tier allows. Expired keys are not active. */
export async function checkQuota(tx: TenantTransaction, caller: Caller, now: number): Promise<void> {
  const limit = rateLimitTier(caller.client).max_api_keys;
  const [, [count]] = await Promise.all([
    tx.query(LOCK_QUOTA, [caller.clientId]),
    tx.query<{ active: number }>(COUNT_ACTIVE, [caller.clientId, new Date(now)]),
  ]);
  if ((count?.active ?? 0) < limit) return;
  throw ApiError.unprocessable(
    `The ${caller.client.tier} tier allows ${String(limit)} active API keys; deactivate one first.`,
  );
}
