import { randomUUID } from 'node:crypto';
import { isoMoment } from '../contracts/common.ts';
import type { RecoveryView } from '../contracts/deliveries.ts';
import { ApiError } from '../contracts/errors.ts';
import { recoveryWorkflowId, TASK_QUEUE, WORKFLOW } from '../contracts/workflows.ts';
import type { RecoverWebhookInput } from '../contracts/workflows.ts';
import { requestWorkflowStart } from '../outbox/index.ts';
import { statement } from '../../platform/db/statement.ts';
import type { TenantTransaction } from '../../platform/db/transaction.ts';

const INSERT = statement(`
  insert into webhook_recoveries (id, client_id, webhook_id, kind, from_at, to_at, event_type)
  values ($1, $2, $3, $4, $5, $6, $7)`);
// Held until the commit, it makes «none is under way, then add» one step.
const LOCK = statement(`select pg_advisory_xact_lock(hashtextextended('webhook_recoveries', $1))`);
// One that an operator has terminated in Temporal says nothing any more: it is in the way for a day at most.
const UNDER_WAY = statement(`
  select id from webhook_recoveries
  where client_id = $1 and webhook_id = $2 and status in ('queued', 'running') and created_at > now() - interval '1 day'
  limit 1`);
const GET = statement(`
  select id, kind, status, from_at, to_at, replayed, created, error, created_at, finished_at
  from webhook_recoveries where client_id = $1 and webhook_id = $2 and id = $3`);

interface RecoveryRow extends Record<string, unknown> {
  id: string;
  kind: RecoveryView['kind'];
  status: RecoveryView['status'];
  from_at: Date;
  to_at: Date;
  replayed: number;
  created: number;
  error: string | null;
  created_at: Date;
  finished_at: Date | null;
}

/**
 * Asks for the workflow that goes through what is too much for one call. One at a time for each webhook: a second would
 * only go over the same ground, and a thousand would keep the workers from all else.
 */
export async function requestRecovery(
  tx: TenantTransaction,
  {
    kind,
    webhookId,
    from,
    to,
    eventType,
  }: { kind: RecoveryView['kind']; webhookId: number; from: Date; to: Date; eventType: string | null },
): Promise<{ recovery_id: string }> {
  const [, [underWay]] = await Promise.all([
    tx.query(LOCK, [webhookId]),
    tx.query<{ id: string }>(UNDER_WAY, [tx.clientId, webhookId]),
  ]);
  if (underWay !== undefined) {
    throw new ApiError('CONFLICT', `A recovery of this webhook is under way: ${underWay.id}. Wait until it has ended.`);
  }
  const recovery_id = randomUUID();
  tx.write(INSERT, [recovery_id, tx.clientId, webhookId, kind, from, to, eventType]);
  const input: RecoverWebhookInput = { client_id: tx.clientId, recovery_id, webhook_id: webhookId, kind };
  requestWorkflowStart(tx, {
    workflowType: WORKFLOW.recoverWebhook,
    workflowId: recoveryWorkflowId(recovery_id),
    taskQueue: TASK_QUEUE.platform,
    input,
  });
  return { recovery_id };
}

/** How far a recovery is. The caller must have been shown the webhook (`getWebhook`). */
export async function getRecovery(tx: TenantTransaction, webhookId: number, recoveryId: string): Promise<RecoveryView> {
  const [row] = await tx.query<RecoveryRow>(GET, [tx.clientId, webhookId, recoveryId]);
  if (row === undefined) throw ApiError.notFound('recovery', recoveryId);
  const { id, from_at, to_at, created_at, finished_at, ...rest } = row;
  return {
    recovery_id: id,
    ...rest,
    from: isoMoment(from_at),
    to: isoMoment(to_at),
    created_at: isoMoment(created_at),
    finished_at: isoMoment(finished_at),
  };
}
