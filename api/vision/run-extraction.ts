import type { Caller } from '../../domain/contracts/caller.ts';
import { ApiError } from '../../domain/contracts/errors.ts';
import { SYNC_BUDGET_MS } from '../../domain/contracts/vision.ts';
import type { ExtractAnswer, ExtractInput } from '../../domain/contracts/vision.ts';
import { TASK_QUEUE, WORKFLOW } from '../../domain/contracts/workflows.ts';
import { forgetWorkflowStart } from '../../domain/outbox/index.ts';
import { failureOf, getVisionRequest, openExtraction } from '../../domain/vision/index.ts';
import type { VisionRequestRow } from '../../domain/vision/index.ts';
import type { DetachedContext, Outcome } from '../operation.ts';
import { sourceFile } from './source-file.ts';

const POLL_MS = 250;

/** Accepts an extraction and answers 202 at once (asynchronous) or its result within the budget (synchronous). */
export async function runExtraction(context: DetachedContext, input: ExtractInput): Promise<Outcome<ExtractAnswer>> {
  refuseUnbuilt(input);
  const { caller, services, request } = context;
  const isAsync = input.async === true || input.webhook_url !== undefined;
  const requestId = request.requestId;
  const startedAt = services.clock.now();
  const sourceBlob = `vision/${requestId}/source`;
  await services.blobs.put(sourceBlob, await sourceFile(services, input));
  await services.tenants.transaction(caller.clientId, (tx) =>
    openExtraction(tx, caller, { requestId, sourceBlob, input, isAsync, now: startedAt }),
  );
  const started = await startNow(context, caller, requestId);
  if (isAsync) return { data: { request_id: requestId, status: 'queued' }, status: 202 };
  const row = await settledRow(context, requestId, started, startedAt + SYNC_BUDGET_MS);
  if (row.status === 'failed') throw failureOf(row);
  return { data: resultOf(row) };
}

/** What a finished call answers, and what `GET /results/{id}` shows of one that isn't. */
export function resultOf(row: VisionRequestRow): ExtractAnswer {
  if (row.status === 'queued' || row.status === 'running' || row.result === null) {
    return {
      request_id: row.request_id,
      status: row.status === 'running' ? 'running' : 'queued',
      pages_done: row.pages_read.length,
      pages_total: row.pages_total,
    };
  }
  return {
    request_id: row.request_id,
    ...row.result,
    credits_used: Number(row.credits_used),
    processing_time_ms: row.processing_time_ms ?? 0,
  };
}

function refuseUnbuilt(input: ExtractInput): void {
  if (input.document_type.startsWith('custom:'))
    throw ApiError.notFound('custom model', input.document_type.slice('custom:'.length));
  const unbuilt = [
    ...(['crop', 'split'] as const).filter((option) => input[option]),
    ...(['check_vendor_against_master', 'check_tax_rates', 'gl_code_suggestion'] as const)
      .filter((check) => input.validation?.[check] === true)
      .map((check) => `validation.${check}`),
    ...((input.validation?.custom_rules.length ?? 0) > 0 ? ['validation.custom_rules'] : []),
  ];
  if (unbuilt.length === 0) return;
  const details = unbuilt.map((field) => ({ field, issue: 'is not offered by this version; leave it out' }));
  throw ApiError.unprocessable(`${unbuilt.join(', ')}: not offered by this version.`, details);
}

/** Starts the workflow without waiting for the outbox, which stays as the safety net when Temporal is away. */
async function startNow({ services }: DetachedContext, caller: Caller, requestId: string): Promise<boolean> {
  try {
    await services.temporal.start({
      workflowType: WORKFLOW.extractDocument,
      workflowId: requestId,
      taskQueue: TASK_QUEUE.documents,
      input: { client_id: caller.clientId, request_id: requestId },
    });
    await forgetWorkflowStart(services.system, requestId);
    return true;
  } catch (error) {
    services.log.warn(
      { err: (error as Error).message, workflow_id: requestId },
      'left to the outbox: the workflow could not be started',
    );
    return false;
  }
}

/** The row once it is closed; 504 when the budget is over: the work goes on and can be fetched (decisions §9). */
async function settledRow(
  context: DetachedContext,
  requestId: string,
  started: boolean,
  deadline: number,
): Promise<VisionRequestRow> {
  const { services, caller } = context;
  if (started) await services.temporal.settled(requestId, deadline - services.clock.now());
  for (;;) {
    const row = await services.tenants.transaction(caller.clientId, (tx) =>
      getVisionRequest(tx, caller.clientId, requestId),
    );
    if (row.status === 'completed' || row.status === 'failed') return row;
    if (services.clock.now() >= deadline) {
      throw new ApiError(
        'GATEWAY_TIMEOUT',
        `The document takes longer than a synchronous call waits. Fetch GET /api/v1/vision/results/${requestId}.`,
      );
    }
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}
