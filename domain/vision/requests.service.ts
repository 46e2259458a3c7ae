import type { Caller } from '../contracts/caller.ts';
import { ApiError } from '../contracts/errors.ts';
import type { DocumentFailureCode, ExtractAnswer, ExtractInput } from '../contracts/vision.ts';
import { MAX_SYNC_PAGES } from '../contracts/vision.ts';
import { TASK_QUEUE, WORKFLOW } from '../contracts/workflows.ts';
import { requestWorkflowStart } from '../outbox/index.ts';
import { statement } from '../../platform/db/statement.ts';
import type { TenantTransaction, Transaction } from '../../platform/db/transaction.ts';
import { book, OutOfCreditsError } from './credits.service.ts';

/** How long the outbox waits before it starts a workflow that the API is about to start itself. */
const START_SAFETY_NET_MS = 2_000;

/** Options of a call as its row keeps them: what the workflow's activities need. */
export interface VisionOptions {
  document_type: string;
  extract_line_items: boolean;
  confidence_threshold: number;
  language_hint: string;
}

export interface VisionRequestRow extends Record<string, unknown> {
  request_id: string;
  client_id: number;
  operation: string;
  environment: string;
  status: 'queued' | 'running' | 'completed' | 'failed';
  is_async: boolean;
  webhook_url: string | null;
  api_key_id: number | null;
  oauth_application_id: number | null;
  options: VisionOptions;
  source_blob: string;
  document_type: string | null;
  pages_total: number | null;
  pages_read: number[];
  result: Partial<ExtractAnswer> | null;
  error_code: DocumentFailureCode | null;
  error_message: string | null;
  credits_used: string;
  processing_time_ms: number | null;
  created_at: Date;
}

const COLUMNS = `request_id, client_id, operation, environment, status, is_async, webhook_url, api_key_id,
  oauth_application_id, options,
  source_blob, document_type, pages_total, pages_read, result, error_code, error_message, credits_used, processing_time_ms, created_at`;
const INSERT = statement(`
  insert into vision_requests (request_id, client_id, operation, environment, is_async, webhook_url, api_key_id,
    oauth_application_id, options, source_blob)
  values ($1, $2, 'extract', 'production', $3, $4, $5, $6, $7, $8)
  on conflict (request_id) do nothing returning request_id`);
const GET = statement(`select ${COLUMNS} from vision_requests where client_id = $1 and request_id = $2`);

/**
 * Accepts an extraction: its row, a hold of one credit, and the outbox entry that starts its workflow, in one
 * transaction (decisions §9). The file must already lie in the blob store. A request id that was accepted before (an
 * Idempotency-Key sent again) changes nothing: whoever waits for it joins that run.
 */
export async function openExtraction(
  tx: TenantTransaction,
  caller: Caller,
  request: { requestId: string; sourceBlob: string; input: ExtractInput; isAsync: boolean; now: number },
): Promise<void> {
  const { requestId, sourceBlob, input, isAsync } = request;
  const options: VisionOptions = {
    document_type: input.document_type,
    extract_line_items: input.extract_line_items,
    confidence_threshold: input.confidence_threshold,
    language_hint: input.language_hint,
  };
  const [opened] = await tx.query(INSERT, [
    requestId,
    caller.clientId,
    isAsync,
    input.webhook_url ?? null,
    caller.apiKey?.id ?? null,
    caller.application?.id ?? null,
    JSON.stringify(options),
    sourceBlob,
  ]);
  if (opened === undefined) return;
  await holdCredit(tx, caller.clientId, requestId);
  requestWorkflowStart(tx, {
    workflowType: WORKFLOW.extractDocument,
    workflowId: requestId,
    taskQueue: TASK_QUEUE.documents,
    input: { client_id: caller.clientId, request_id: requestId },
    availableAt: new Date(request.now + START_SAFETY_NET_MS),
  });
}

async function holdCredit(tx: TenantTransaction, clientId: number, requestId: string): Promise<void> {
  try {
    await book(tx, { clientId, reference: requestId, step: 'hold', amount: -1 });
  } catch (error) {
    if (error instanceof OutOfCreditsError) throw outOfCredits(error.balance, error.price);
    throw error;
  }
}

/** The row of a call; 404 for another client's. */
export async function getVisionRequest(
  tx: Transaction,
  clientId: number,
  requestId: string,
): Promise<VisionRequestRow> {
  const [row] = await tx.query<VisionRequestRow>(GET, [clientId, requestId]);
  if (row === undefined) throw ApiError.notFound('result', requestId);
  return row;
}

function outOfCredits(balance: number, price: number): ApiError {
  return ApiError.unprocessable(`Not enough credits: ${String(price)} needed, ${String(balance)} left.`, [
    { field: 'credits_remaining', issue: String(balance) },
    { field: 'credits_required', issue: String(price) },
  ]);
}

/**
 * The refusal that a failed call answers with (decisions §9): 415 for a wrong type, 422 for the rest. (A file over the
 * byte limit never comes this far; TOO_LARGE here is a page of too many pixels.)
 */
export function failureOf(row: Pick<VisionRequestRow, 'error_code' | 'error_message'>): ApiError {
  const message = row.error_message ?? 'The document could not be read.';
  switch (row.error_code) {
    case 'UNSUPPORTED_TYPE':
      return new ApiError('UNSUPPORTED_MEDIA_TYPE', message);
    case 'INTERNAL':
    case null:
      return new ApiError('INTERNAL_ERROR', 'The document could not be processed.');
    default:
      return ApiError.unprocessable(message, [{ field: 'file', issue: row.error_code.toLowerCase() }]);
  }
}

export function tooManySyncPages(pages: number): string {
  return `The document has ${String(pages)} pages; a synchronous call takes ${String(MAX_SYNC_PAGES)}. Use async or webhook_url.`;
}
