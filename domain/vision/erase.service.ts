import { audit } from '../audit/index.ts';
import type { Caller } from '../contracts/caller.ts';
import { ApiError } from '../contracts/errors.ts';
import { eraseWorkflowId, TASK_QUEUE, WORKFLOW } from '../contracts/workflows.ts';
import { requestWorkflowStart } from '../outbox/index.ts';
import type { BlobStore } from '../../platform/blobs.ts';
import type { SystemDatabase } from '../../platform/db/database.ts';
import { statement } from '../../platform/db/statement.ts';
import type { TenantTransaction } from '../../platform/db/transaction.ts';
import { admitJobs, lockJobs } from './admission.service.ts';
import type { VisionEnvironment } from './admission.service.ts';
import { book, creditsTaken } from './credits.service.ts';
import { eraseTraces } from './erase-traces.service.ts';
import type { ErasedCall } from './erase-traces.service.ts';
import { environmentOf } from './requests.service.ts';
import { forgetLessons } from './lessons.service.ts';

const REMOVED_AT_ONCE = 50;

// The row stays, for what it cost; what the document said and who was to be told of it goes.
const FORGET = `erased_at = now(), result = null, error_message = null, options = '{}', webhook_url = null`;
const FIND = statement(`select is_async, environment from vision_requests where client_id = $1 and request_id = $2`);
const LOCK = statement(`
  select client_id, request_id, event_id, status, is_async from vision_requests
  where client_id = $1 and request_id = $2 and erased_at is null for update`);
const ERASE = statement(`
  update vision_requests set ${FORGET},
    finished_at = coalesce(finished_at, now()),
    status = case when status in ('queued', 'running') then 'cancelled' else status end
  where client_id = $1 and request_id = $2`);
const LOCK_OLD = statement(`
  select r.client_id, r.request_id, r.event_id from vision_requests r join clients c on c.id = r.client_id
  where r.erased_at is null and r.finished_at < $1::timestamptz - make_interval(days => c.document_ai_retention_days)
  order by r.finished_at limit $2 for update of r skip locked`);
const PURGE = statement(`update vision_requests set ${FORGET} where request_id = any($1::uuid[])`);
const HOLD = statement(`
  select 1 from vision_requests where client_id = $1 and request_id = $2 and erased_at is null for share`);

/** Where everything of one call lies in the blob store: its file, the words of its pages, its cuts and its answer. */
export function visionFolder(requestId: string): string {
  return `vision/${requestId}`;
}

/** Whether a call's result is there; until the transaction ends it will be, so that what shows it is erased with it. */
export async function holdResult(tx: TenantTransaction, requestId: string): Promise<boolean> {
  return (await tx.query(HOLD, [tx.clientId, requestId])).length > 0;
}

interface OpenOrDone extends ErasedCall, Record<string, unknown> {
  status: string;
  is_async: boolean;
}

/**
 * Erases a call for good: its result, what told of it elsewhere, and what lies in the blob store. One that is still queued
 * or running is cancelled and costs nothing; its workflow is stopped by another, so that this holds even while Temporal is
 * away.
 */
export async function eraseRequest(tx: TenantTransaction, caller: Caller, requestId: string): Promise<void> {
  const { clientId } = tx;
  // The client's jobs before the call: whoever admits or closes one locks in this order.
  const [found] = await tx.query<{ is_async: boolean; environment: VisionEnvironment }>(FIND, [clientId, requestId]);
  if (found?.environment !== environmentOf(caller)) throw ApiError.notFound('result', requestId);
  if (found.is_async) await lockJobs(tx);
  const [row] = await tx.query<OpenOrDone>(LOCK, [clientId, requestId]);
  if (row === undefined) throw ApiError.notFound('result', requestId);
  const wasOpen = row.status === 'queued' || row.status === 'running';
  await tx.query(ERASE, [clientId, requestId]);
  await eraseTraces(tx, [row]);
  forgetLessons(tx, requestId);
  if (wasOpen) {
    const amount = await creditsTaken(tx, clientId, requestId);
    await book(tx, { clientId, reference: requestId, step: 'refund', amount });
    if (row.is_async) await admitJobs(tx, found.environment);
  }
  audit(tx, caller, {
    action: 'document_ai.result_deleted',
    subjectType: 'vision_request',
    subjectId: requestId,
    details: { was: row.status },
  });
  requestWorkflowStart(tx, {
    workflowType: WORKFLOW.eraseDocument,
    workflowId: eraseWorkflowId(requestId),
    taskQueue: TASK_QUEUE.platform,
    input: { client_id: clientId, request_id: requestId, was_open: wasOpen },
  });
}

/**
 * Erases a batch of calls whose client's retention is over: first their blobs, then their rows and what told of them.
 * `isDone`: none is left.
 */
export async function purgeResults(
  { system, blobs }: { system: SystemDatabase; blobs: BlobStore },
  now: number,
): Promise<{ removed: number; isDone: boolean }> {
  const removed = await system.transaction(async (tx) => {
    const rows = await tx.query<ErasedCall & Record<string, unknown>>(LOCK_OLD, [new Date(now), REMOVED_AT_ONCE]);
    const ids = rows.map((row) => row.request_id);
    for (const id of ids) await blobs.deleteAll(visionFolder(id));
    if (ids.length === 0) return 0;
    tx.write(PURGE, [ids]);
    await eraseTraces(tx, rows);
    return ids.length;
  });
  return { removed, isDone: removed < REMOVED_AT_ONCE };
}
