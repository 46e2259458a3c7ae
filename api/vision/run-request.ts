import type { Caller } from '../../domain/contracts/caller.ts';
import { ApiError } from '../../domain/contracts/errors.ts';
import { SYNC_BUDGET_MS } from '../../domain/contracts/vision.ts';
import { forgetWorkflowStart } from '../../domain/outbox/index.ts';
import { failureOf, getVisionRequest, openRequest, openWithSource, visionWorkflow } from '../../domain/vision/index.ts';
import type { Concurrency, VisionJob, VisionRequestRow, VisionWork } from '../../domain/vision/index.ts';
import type { DetachedContext, Outcome, RequestFacts } from '../operation.ts';
import { answerOf } from './answer.ts';
import type { VisionAnswer } from './answer.ts';
import { sourceFile } from './source-file.ts';
import type { FileInput } from './source-file.ts';

const POLL_MS = 250;

interface Asked extends VisionWork {
  file: FileInput;
  async?: boolean | undefined;
  webhookUrl?: string | undefined;
}

/** Accepts a call and answers 202 at once (asynchronous) or its result within the budget (synchronous). */
export async function runRequest(context: DetachedContext, asked: Asked): Promise<Outcome<VisionAnswer>> {
  const { caller, services, request } = context;
  const { operation, options, webhookUrl } = asked;
  const isAsync = asked.async === true || webhookUrl !== undefined;
  const requestId = request.requestId;
  const now = services.clock.now();
  const opened = await openWithSource(services, {
    clientId: caller.clientId,
    requestId,
    file: () => sourceFile(services, asked.file),
    open: (tx, sourceBlob) =>
      openRequest(tx, caller, { requestId, operation, options, sourceBlob, isAsync, webhookUrl, now }),
  });
  if (isAsync) {
    if (opened.outcome !== undefined) tellConcurrency(request, opened.outcome);
    // A job whose turn it is begins at once; the others when one before them ends.
    if (opened.row.admitted_at !== null) await startNow(context, caller, requestId, opened.row);
    return { data: { request_id: requestId, status: 'queued' }, status: 202 };
  }
  const started = await startNow(context, caller, requestId, { operation, options, is_async: false });
  const row = await settledRow(
    context,
    requestId,
    started,
    now + (services.config.VISION_SYNC_BUDGET_MS ?? SYNC_BUDGET_MS),
  );
  if (row.status === 'failed') throw failureOf(row);
  return { data: await answerOf(services, row), tellsOf: requestId };
}

function tellConcurrency(request: RequestFacts, { limit, remaining }: Concurrency): void {
  request.setHeader('X-Concurrency-Limit', String(limit));
  request.setHeader('X-Concurrency-Remaining', String(remaining));
}

/** Starts the workflow without waiting for the outbox, which stays as the safety net when Temporal is away. */
async function startNow(
  { services }: DetachedContext,
  caller: Caller,
  requestId: string,
  job: VisionJob,
): Promise<boolean> {
  try {
    await services.temporal.start(visionWorkflow(caller.clientId, requestId, job));
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
