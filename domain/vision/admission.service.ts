import { requestWorkflowStart } from '../outbox/index.ts';
import { clientOf } from '../tenancy/index.ts';
import { statement } from '../../platform/db/statement.ts';
import type { TenantTransaction } from '../../platform/db/transaction.ts';
import { visionWorkflow } from './steps.rules.ts';
import type { VisionJob } from './steps.rules.ts';

/** Where a call was made: the sandbox is apart from all else. */
export type VisionEnvironment = 'production' | 'sandbox';

/** How many jobs a client may have under way, and how many more it may have now. */
export interface Concurrency {
  limit: number;
  remaining: number;
}

interface Waiting extends VisionJob, Record<string, unknown> {
  request_id: string;
}

// Whoever counts a client's jobs waits until the count before is committed: two must not take the last place.
const LOCK = statement(`select pg_advisory_xact_lock(hashtextextended('vision-jobs', $1))`);
const ACTIVE = statement(`
  select count(*)::int as active from vision_requests
  where client_id = $1 and is_async and admitted_at is not null and status in ('queued', 'running')
    and environment = $2`);
const WAITING = statement(`
  select request_id, operation, options, is_async from vision_requests
  where client_id = $1 and is_async and status = 'queued' and admitted_at is null and environment = $3
  order by id limit $2`);
const ADMIT = statement(
  `update vision_requests set admitted_at = now() where client_id = $1 and request_id = any($2::uuid[])`,
);

/** Makes jobs that are accepted at the same moment come one after another, in the order of their rows. */
export async function lockJobs(tx: TenantTransaction): Promise<void> {
  await tx.query(LOCK, [tx.clientId]);
}

/**
 * Starts as many of the client's waiting jobs as its tier has room for, oldest first (spec, "Limits"): called when one is
 * accepted, when one ends, and by maintenance after a tier was raised. Jobs of the sandbox take no place of production's.
 * `availableAt`: when the outbox starts them, where nobody has done so by then.
 */
export async function admitJobs(
  tx: TenantTransaction,
  environment: VisionEnvironment,
  availableAt?: Date,
): Promise<Concurrency> {
  const { clientId } = tx;
  await lockJobs(tx);
  const [client, [counted]] = await Promise.all([
    clientOf(tx),
    tx.query<{ active: number }>(ACTIVE, [clientId, environment]),
  ]);
  const { concurrent_jobs: limit } = client.document_ai;
  const free = Math.max(0, limit - (counted?.active ?? 0));
  const admitted = free === 0 ? [] : await tx.query<Waiting>(WAITING, [clientId, free, environment]);
  if (admitted.length > 0) await tx.query(ADMIT, [clientId, admitted.map((job) => job.request_id)]);
  for (const job of admitted) {
    requestWorkflowStart(tx, {
      ...visionWorkflow(clientId, job.request_id, job),
      ...(availableAt === undefined ? {} : { availableAt }),
    });
  }
  return { limit, remaining: free - admitted.length };
}
