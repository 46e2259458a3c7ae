import { statement } from '../../platform/db/statement.ts';
import type { SystemDatabase } from '../../platform/db/database.ts';
import type { TenantTransaction, Transaction } from '../../platform/db/transaction.ts';

/** Channel on which the relay is woken when a transaction has put something into the outbox. */
export const OUTBOX_CHANNEL = 'outbox';

/** Channel on which the relay is woken when a delivery was queued directly, without an event to match. */
export const DELIVERIES_CHANNEL = 'deliveries';

export interface WorkflowStartRequest {
  workflowType: string;
  /** Also what makes a repeated request start nothing. */
  workflowId: string;
  taskQueue: string;
  input: object;
  /** Not before this; for a caller that starts the workflow itself and wants the outbox as safety net only. */
  availableAt?: Date;
}

const INSERT = statement(`
  insert into workflow_starts (client_id, workflow_id, workflow_type, task_queue, input, available_at)
  values ($1, $2, $3, $4, $5, coalesce($6, now())) on conflict (workflow_id) do nothing`);
const FORGET = statement(`delete from workflow_starts where workflow_id = $1`);

/** Asks for a workflow in the transaction of the change that needs it; the relay starts it after the commit. */
export function requestWorkflowStart(tx: TenantTransaction, request: WorkflowStartRequest): void {
  requestWorkflowStartOf(tx, tx.clientId, request);
}

/** The same in a transaction of the system, for one of its clients. */
export function requestWorkflowStartOf(tx: Transaction, clientId: number, request: WorkflowStartRequest): void {
  const { workflowId, workflowType, taskQueue, input, availableAt } = request;
  tx.write(INSERT, [clientId, workflowId, workflowType, taskQueue, JSON.stringify(input), availableAt ?? null]);
  if (availableAt === undefined) tx.notify(OUTBOX_CHANNEL);
}

/** Takes back a request whose workflow the asker has started itself. */
export async function forgetWorkflowStart(db: SystemDatabase, workflowId: string): Promise<void> {
  await db.query(FORGET, [workflowId]);
}

export { outboxGauges } from './outbox-metrics.ts';
export { acknowledgeStarts, claimStarts, postponeStarts } from './starts.ts';
export type { WorkflowStartRow } from './starts.ts';
