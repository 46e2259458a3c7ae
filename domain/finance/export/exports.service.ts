import { audit } from '../../audit/index.ts';
import type { AuditorBundle, AuditorExportOptions } from '../../contracts/auditor-export.ts';
import type { Caller } from '../../contracts/caller.ts';
import { ApiError } from '../../contracts/errors.ts';
import { auditorExportWorkflowId, TASK_QUEUE, WORKFLOW } from '../../contracts/workflows.ts';
import { requestWorkflowStart } from '../../outbox/index.ts';
import { statement } from '../../../platform/db/statement.ts';
import type { TenantTransaction } from '../../../platform/db/transaction.ts';
import { compose, readContent } from './compose.ts';

/** How long the outbox leaves the start of the workflow to the API, which begins at once. */
const OUTBOX_GRACE_MS = 5_000;

/** More than this is put together by a worker, a page at a time. */
const MAX_DIRECT_BYTES = 16 * 1024 * 1024;

const INSERT = statement(`
  insert into auditor_exports (export_id, client_id, options, actor_type, actor_id, created_at)
  values ($1, $2, $3, $4, $5, $6) on conflict (export_id) do nothing returning export_id`);
const FIND = statement(`
  select export_id, status, options, documents_done, blob, error_code, error_message from auditor_exports
  where client_id = $1 and export_id = $2`);
const PROGRESS = statement(`
  update auditor_exports set status = 'running', documents_done = $3
  where client_id = $1 and export_id = $2 and status in ('queued', 'running')`);
const COMPLETE = statement(`
  update auditor_exports set status = 'completed', documents_done = $3, blob = $4, sha256 = $5, finished_at = $6
  where client_id = $1 and export_id = $2 and status in ('queued', 'running')`);
const FAIL = statement(`
  update auditor_exports set status = 'failed', error_code = $3, error_message = $4, finished_at = $5
  where client_id = $1 and export_id = $2 and status in ('queued', 'running')`);

export interface AuditorExportRow extends Record<string, unknown> {
  export_id: string;
  status: 'queued' | 'running' | 'completed' | 'failed';
  options: AuditorExportOptions;
  documents_done: number;
  /** Where the bundle lies once it is completed. */
  blob: string | null;
  error_code: 'UNPROCESSABLE_ENTITY' | 'INTERNAL_ERROR' | null;
  error_message: string | null;
}

/** A short period, read and bundled in the transaction of the call; undefined where it is too much for that. */
export async function exportNow(
  tx: TenantTransaction,
  caller: Caller,
  { exportId, options, now }: { exportId: string; options: AuditorExportOptions; now: number },
): Promise<AuditorBundle | undefined> {
  const content = await readContent(tx, options, MAX_DIRECT_BYTES);
  if (content === undefined) return undefined;
  noteExport(tx, caller, exportId, options);
  return compose(tx, options, { content, now });
}

/** Opens an export that a workflow makes; opened already, it is joined. Row and start are one transaction. */
export async function openExport(
  tx: TenantTransaction,
  caller: Caller,
  { exportId, options, now }: { exportId: string; options: AuditorExportOptions; now: number },
): Promise<void> {
  const { type, id } = caller.actor;
  const values = [exportId, tx.clientId, JSON.stringify(options), type, id, new Date(now)];
  const opened = await tx.query(INSERT, values);
  if (opened.length === 0) return;
  noteExport(tx, caller, exportId, options);
  requestWorkflowStart(tx, {
    workflowType: WORKFLOW.exportForAuditor,
    workflowId: auditorExportWorkflowId(exportId),
    taskQueue: TASK_QUEUE.platform,
    input: { client_id: tx.clientId, export_id: exportId },
    availableAt: new Date(Date.now() + OUTBOX_GRACE_MS),
  });
}

/** Who took the books out, and which. */
function noteExport(tx: TenantTransaction, caller: Caller, exportId: string, options: AuditorExportOptions): void {
  const { date_from, date_to, format, document_types } = options;
  const details = { date_from, date_to, format, document_types };
  audit(tx, caller, { action: 'finance.exported', subjectType: 'auditor_export', subjectId: exportId, details });
}

export async function getExport(tx: TenantTransaction, exportId: string): Promise<AuditorExportRow> {
  const [row] = await tx.query<AuditorExportRow>(FIND, [tx.clientId, exportId]);
  if (row === undefined) throw ApiError.notFound('auditor export', exportId);
  return row;
}

export function recordExportProgress(tx: TenantTransaction, exportId: string, documentsDone: number): void {
  tx.write(PROGRESS, [tx.clientId, exportId, documentsDone]);
}

export function completeExport(
  tx: TenantTransaction,
  exportId: string,
  result: { documents: number; blob: string; sha256: string; now: number },
): void {
  const { documents, blob, sha256, now } = result;
  tx.write(COMPLETE, [tx.clientId, exportId, documents, blob, sha256, new Date(now)]);
}

export function failExport(
  tx: TenantTransaction,
  exportId: string,
  failure: { code: 'UNPROCESSABLE_ENTITY' | 'INTERNAL_ERROR'; message: string; now: number },
): void {
  tx.write(FAIL, [tx.clientId, exportId, failure.code, failure.message, new Date(failure.now)]);
}
