import { DELIVERIES_CHANNEL } from '../outbox/index.ts';
import type { RecoverWebhookInput } from '../contracts/workflows.ts';
import type { Vault } from '../../platform/crypto.ts';
import type { SystemDatabase } from '../../platform/db/database.ts';
import { statement } from '../../platform/db/statement.ts';
import type { Transaction } from '../../platform/db/transaction.ts';
import { endpointOfWebhook } from './endpoint.ts';
import type { WebhookEndpoint } from './endpoint.ts';
import { insertDeliveries, isOrdered } from './queue.service.ts';
import { findMissed } from './recover-missed.service.ts';
import { pickDeadLetters, replayDeliveries } from './replay.service.ts';

/** Dead letters that one transaction puts back. */
const BATCH = 1_000;

// Locked: two runs of the same batch (the first was thought dead) go one after the other, and each goes on where the row says.
const LOCK = statement(`
  select webhook_id, kind, status, phase, from_at, to_at, event_type, cursor_id, replayed, created
  from webhook_recoveries where client_id = $1 and id = $2 for update`);
const SAVE = statement(`
  update webhook_recoveries set status = $3, phase = $4, cursor_id = $5, replayed = $6, created = $7, error = $8,
    finished_at = case when $3 in ('completed', 'failed') then now() end
  where client_id = $1 and id = $2`);

interface Recovery extends Record<string, unknown> {
  webhook_id: number;
  kind: 'recover' | 'replay';
  status: 'queued' | 'running' | 'completed' | 'failed';
  phase: 'dead_letters' | 'missed_events';
  from_at: Date;
  to_at: Date;
  event_type: string | null;
  cursor_id: number;
  replayed: number;
  created: number;
}

export interface RecoveryProgress {
  is_done: boolean;
  replayed: number;
  created: number;
}

/** One batch of a recovery, and the note of how far it came, in one transaction: it can die anywhere and be run again. */
export async function runRecoveryBatch(
  db: SystemDatabase,
  vault: Vault,
  { client_id: clientId, recovery_id: id }: RecoverWebhookInput,
): Promise<RecoveryProgress> {
  return db.transaction(async (tx) => {
    const [recovery] = await tx.query<Recovery>(LOCK, [clientId, id]);
    if (recovery === undefined) return { is_done: true, replayed: 0, created: 0 };
    const isOpen = recovery.status === 'queued' || recovery.status === 'running';
    const { error, ...after } = isOpen ? await step(tx, vault, clientId, recovery) : { ...recovery, error: null };
    const { status, phase, cursor_id, replayed, created } = after;
    if (isOpen) tx.write(SAVE, [clientId, id, status, phase, cursor_id, replayed, created, error]);
    return { is_done: status === 'completed' || status === 'failed', replayed, created };
  });
}

async function step(
  tx: Transaction,
  vault: Vault,
  clientId: number,
  recovery: Recovery,
): Promise<Recovery & { error: string | null }> {
  const endpoint = await endpointOfWebhook(tx, vault, clientId, recovery.webhook_id);
  const obstacle = obstacleOf(endpoint);
  if (endpoint === undefined || obstacle !== null) return { ...recovery, status: 'failed', error: obstacle };
  const running = { ...recovery, status: 'running' as const, error: null };
  return recovery.phase === 'dead_letters' ? replayBatch(tx, running, endpoint) : createBatch(tx, running, endpoint);
}

function obstacleOf(endpoint: WebhookEndpoint | undefined): string | null {
  if (endpoint === undefined || endpoint.isDeleted) return 'the webhook was deleted';
  if (!endpoint.isActive) return 'the webhook is inactive';
  return endpoint.isVerified ? null : 'the endpoint has not been verified';
}

type Step = Recovery & { error: null };

async function replayBatch(tx: Transaction, recovery: Step, { clientId, webhookId }: WebhookEndpoint): Promise<Step> {
  const { from_at: from, to_at: to, event_type: eventType } = recovery;
  const picked = await pickDeadLetters(tx, { clientId, webhookId, from, to, eventType }, BATCH);
  const ids = picked.map(({ id }) => id);
  const done = await replayDeliveries(tx, { clientId, webhookId }, ids);
  const after = { ...recovery, replayed: recovery.replayed + done.length };
  if (picked.length === BATCH) return after;
  return recovery.kind === 'replay' ? { ...after, status: 'completed' } : { ...after, phase: 'missed_events' };
}

async function createBatch(tx: Transaction, recovery: Step, endpoint: WebhookEndpoint): Promise<Step> {
  const { from_at: since, to_at: until, cursor_id } = recovery;
  const { missed, cursor, isDone } = await findMissed(tx, endpoint, { since, until, cursor: cursor_id });
  const { clientId, webhookId } = endpoint;
  const inserted =
    missed.length === 0
      ? []
      : await insertDeliveries(
          tx,
          missed.map((event) => ({
            clientId,
            webhookId,
            eventId: event.event_id,
            eventType: event.name,
            workItemId: event.work_item_id,
            eventSeq: event.id,
            isOrdered: isOrdered(endpoint, event.work_item_id),
            leased: false,
          })),
        );
  if (inserted.length > 0) tx.notify(DELIVERIES_CHANNEL);
  const status = isDone ? 'completed' : recovery.status;
  return { ...recovery, status, cursor_id: cursor, created: recovery.created + inserted.length };
}
