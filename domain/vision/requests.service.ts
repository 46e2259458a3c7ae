import type { Caller } from '../contracts/caller.ts';
import { ApiError } from '../contracts/errors.ts';
import type { DocumentFailureCode } from '../contracts/vision.ts';
import type { VisionOperation, VisionOptions } from '../contracts/vision-requests.ts';
import { MAX_SYNC_PAGES } from '../contracts/vision.ts';
import { requestWorkflowStart } from '../outbox/index.ts';
import { statement } from '../../platform/db/statement.ts';
import type { TenantTransaction, Transaction } from '../../platform/db/transaction.ts';
import { admitJobs, lockJobs } from './admission.service.ts';
import type { Concurrency, VisionEnvironment } from './admission.service.ts';
import { grantTrial } from './credit-account.service.ts';
import { book, OutOfCreditsError, shortOfCredits } from './credits.service.ts';
import type { Shortfall } from './credits.service.ts';
import { heldForPages, openingHold } from './prices.rules.ts';
import { visionWorkflow } from './steps.rules.ts';

/** How long the outbox waits before it starts a workflow that the API is about to start itself. */
const START_SAFETY_NET_MS = 2_000;

export interface VisionRequestRow extends Record<string, unknown> {
  request_id: string;
  client_id: number;
  operation: VisionOperation;
  environment: VisionEnvironment;
  status: 'queued' | 'running' | 'completed' | 'failed' | 'cancelled';
  is_async: boolean;
  webhook_url: string | null;
  api_key_id: number | null;
  oauth_application_id: number | null;
  options: VisionOptions;
  source_blob: string;
  document_type: string | null;
  pages_total: number | null;
  pages_read: number[];
  result: Record<string, unknown> | null;
  error_code: DocumentFailureCode | null;
  error_message: string | null;
  credits_used: string;
  /** Of one that was refused for want of them: what there was when it was closed. */
  credits_left: number | null;
  processing_time_ms: number | null;
  admitted_at: Date | null;
  /** Its file and result are gone: nobody is shown it any more. */
  erased_at: Date | null;
  created_at: Date;
}

const COLUMNS = `request_id, client_id, operation, environment, status, is_async, webhook_url, api_key_id,
  oauth_application_id, options,
  source_blob, document_type, pages_total, pages_read, result, error_code, error_message, credits_used, processing_time_ms,
  admitted_at, erased_at, created_at`;
const CREDITS_LEFT = `
  case when error_code = 'OUT_OF_CREDITS' then (
    select balance_after::float8 from credit_entries e
    where e.client_id = r.client_id and e.created_at <= r.finished_at order by e.id desc limit 1) end`;
const INSERT = statement(`
  insert into vision_requests (request_id, client_id, operation, environment, is_async, webhook_url, api_key_id,
    oauth_application_id, options, source_blob, admitted_at)
  values ($1, $2, $3, $11, $4, $5, $6, $7, $8, $9, $10)
  on conflict (request_id) do nothing returning request_id`);
const GET = statement(`
  select ${COLUMNS}, ${CREDITS_LEFT} as credits_left from vision_requests r where client_id = $1 and request_id = $2`);

/** A call that is accepted; its file lies in the blob store already. */
export interface NewVisionRequest {
  requestId: string;
  operation: VisionOperation;
  options: VisionOptions;
  sourceBlob: string;
  isAsync: boolean;
  webhookUrl?: string | undefined;
  now: number;
}

/**
 * Accepts a call: its row, a hold on the credits, and the outbox entry that starts its workflow, in one transaction
 * (decisions §9). An asynchronous call may have to wait for its turn; answers then how many its client may have under way.
 * A request id that was accepted before (an Idempotency-Key sent again) changes nothing: whoever waits for it joins that run.
 */
export async function openRequest(
  tx: TenantTransaction,
  caller: Caller,
  request: NewVisionRequest,
): Promise<Concurrency | undefined> {
  const { requestId, operation, options, isAsync } = request;
  if (isAsync) await lockJobs(tx);
  const [opened] = await tx.query(INSERT, [
    requestId,
    caller.clientId,
    operation,
    isAsync,
    request.webhookUrl ?? null,
    caller.apiKey?.id ?? null,
    caller.application?.id ?? null,
    JSON.stringify(options),
    request.sourceBlob,
    isAsync ? null : new Date(request.now),
    environmentOf(caller),
  ]);
  if (opened === undefined) return undefined;
  if (caller.isSandbox !== true) await holdCredits(tx, caller.clientId, requestId, openingHold(request));
  const availableAt = new Date(request.now + START_SAFETY_NET_MS);
  if (isAsync) return admitJobs(tx, environmentOf(caller), availableAt);
  const job = { operation, options, is_async: isAsync };
  requestWorkflowStart(tx, { ...visionWorkflow(caller.clientId, requestId, job), availableAt });
  return undefined;
}

/** Where a caller's calls are kept and shown: those of the sandbox apart from all others. */
export function environmentOf(caller: Pick<Caller, 'isSandbox'>): VisionEnvironment {
  return caller.isSandbox === true ? 'sandbox' : 'production';
}

async function holdCredits(tx: TenantTransaction, clientId: number, requestId: string, price: number): Promise<void> {
  await grantTrial(tx);
  try {
    await book(tx, { clientId, reference: requestId, step: 'hold', amount: -price });
  } catch (error) {
    if (error instanceof OutOfCreditsError) throw outOfCredits({ needed: error.price, left: error.balance });
    throw error;
  }
}

/** The row of a call; 404 for another client's, and for one whose result was deleted or whose time is over. */
export async function getVisionRequest(
  tx: Transaction,
  clientId: number,
  requestId: string,
): Promise<VisionRequestRow> {
  const row = await findVisionRequest(tx, clientId, requestId);
  if (row === undefined || row.erased_at !== null) throw ApiError.notFound('result', requestId);
  return row;
}

/** The same for one who asks: the sandbox knows nothing of other calls, nor they of its. */
export async function getResultRow(
  tx: TenantTransaction,
  caller: Caller,
  requestId: string,
): Promise<VisionRequestRow> {
  const row = await getVisionRequest(tx, tx.clientId, requestId);
  if (row.environment !== environmentOf(caller)) throw ApiError.notFound('result', requestId);
  return row;
}

/** The row of a call, erased or not. */
export async function findVisionRequest(
  tx: Transaction,
  clientId: number,
  requestId: string,
): Promise<VisionRequestRow | undefined> {
  const [row] = await tx.query<VisionRequestRow>(GET, [clientId, requestId]);
  return row;
}

function outOfCredits(shortfall: Shortfall): ApiError {
  return ApiError.unprocessable(shortOfCredits(shortfall), [
    { field: 'credits_remaining', issue: String(shortfall.left) },
    { field: 'credits_required', issue: String(shortfall.needed) },
  ]);
}

/**
 * The refusal that a failed call answers with (decisions §9): 415 for a wrong type, 422 for the rest. (A file over the
 * byte limit never comes this far; TOO_LARGE here is a page of too many pixels.)
 */
export function failureOf(row: VisionRequestRow): ApiError {
  const message = row.error_message ?? 'The document could not be read.';
  switch (row.error_code) {
    case 'UNSUPPORTED_TYPE':
      return new ApiError('UNSUPPORTED_MEDIA_TYPE', message, {
        details: [{ field: 'file', issue: 'unsupported_type' }],
      });
    case 'INTERNAL':
    case null:
      return new ApiError('INTERNAL_ERROR', 'The document could not be processed.');
    case 'OUT_OF_CREDITS':
      return outOfCredits({ needed: heldForPages(row, row.pages_total ?? 0), left: row.credits_left ?? 0 });
    default:
      return ApiError.unprocessable(message, [{ field: 'file', issue: row.error_code.toLowerCase() }]);
  }
}

export function tooManySyncPages(pages: number): string {
  return `The document has ${String(pages)} pages; a synchronous call takes ${String(MAX_SYNC_PAGES)}. Use async or webhook_url.`;
}
