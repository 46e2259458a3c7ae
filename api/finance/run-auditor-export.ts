import type { AuditorBundle, AuditorExportInput, AuditorExportOptions } from '../../domain/contracts/auditor-export.ts';
import { EXPORT_BUDGET_MS } from '../../domain/contracts/auditor-export.ts';
import { ApiError } from '../../domain/contracts/errors.ts';
import { auditorExportWorkflowId, TASK_QUEUE, WORKFLOW } from '../../domain/contracts/workflows.ts';
import {
  checkMayAudit,
  exportNow,
  exportOptions,
  getExport,
  isDirect,
  openExport,
} from '../../domain/finance/index.ts';
import type { AuditorExportRow } from '../../domain/finance/index.ts';
import { forgetWorkflowStart } from '../../domain/outbox/index.ts';
import type { DetachedContext, Outcome } from '../operation.ts';
import type { Services } from '../services.ts';

const POLL_MS = 250;

/** Answers a short period at once, and a long one when its workflow is done; 504 with its id after 60 s (decisions §6). */
export async function runAuditorExport(
  context: DetachedContext,
  input: AuditorExportInput,
): Promise<Outcome<{ bundle: AuditorBundle }>> {
  const { caller, services, request } = context;
  const startedAt = services.clock.now();
  const exportId = request.requestId;
  checkMayAudit(caller);
  const options = exportOptions(caller, input, startedAt);
  const what = { exportId, options, now: startedAt };
  const bundle = await services.tenants.transaction(caller.clientId, async (tx) => {
    const made = (await isDirect(tx, options)) ? await exportNow(tx, caller, what) : undefined;
    if (made === undefined) await openExport(tx, caller, what);
    return made;
  });
  if (bundle !== undefined) return { data: { bundle } };
  const row = await settledRow(context, exportId, { options, deadline: startedAt + EXPORT_BUDGET_MS });
  return { data: { bundle: await bundleIn(services, row) } };
}

/** The bundle of a completed export; a failed one is its error. */
export async function bundleIn(services: Services, row: AuditorExportRow): Promise<AuditorBundle> {
  if (row.status === 'failed' || row.blob === null) {
    throw new ApiError(row.error_code ?? 'INTERNAL_ERROR', row.error_message ?? 'The export could not be made.');
  }
  return JSON.parse(Buffer.from(await services.blobs.get(row.blob)).toString('utf8')) as AuditorBundle;
}

async function settledRow(
  context: DetachedContext,
  exportId: string,
  { options, deadline }: { options: AuditorExportOptions; deadline: number },
): Promise<AuditorExportRow> {
  const { services, caller } = context;
  await startNow(context, exportId, options);
  for (;;) {
    const row = await services.tenants.transaction(caller.clientId, (tx) => getExport(tx, exportId));
    if (row.status === 'completed' || row.status === 'failed') return row;
    if (services.clock.now() >= deadline) throw stillRunning(exportId);
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}

/** Starts the workflow without waiting for the outbox, which stays as the safety net when Temporal is away. */
async function startNow(
  { services, caller }: DetachedContext,
  exportId: string,
  { date_from, date_to, format }: AuditorExportOptions,
): Promise<void> {
  const workflowId = auditorExportWorkflowId(exportId);
  try {
    await services.temporal.start({
      workflowType: WORKFLOW.exportForAuditor,
      workflowId,
      taskQueue: TASK_QUEUE.platform,
      input: { client_id: caller.clientId, export_id: exportId },
      memo: { period: `${date_from} to ${date_to}`, format },
    });
    await forgetWorkflowStart(services.system, workflowId);
  } catch (error) {
    const err = (error as Error).message;
    services.log.warn({ err, workflow_id: workflowId }, 'left to the outbox: the workflow could not be started');
  }
}

function stillRunning(exportId: string): ApiError {
  const address = `/api/v1/finance/auditor-export/${exportId}`;
  const message = `The export takes longer than a call waits, and goes on. Fetch it at GET ${address}.`;
  return new ApiError('GATEWAY_TIMEOUT', message, { details: [{ field: 'export_id', issue: exportId }] });
}
