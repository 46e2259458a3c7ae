import { audit } from '../audit/index.ts';
import type { Caller } from '../contracts/caller.ts';
import { ApiError } from '../contracts/errors.ts';
import type { CorrectResultInput } from '../contracts/vision-corrections.ts';
import type { ModelFieldDefinition } from '../contracts/vision-models.ts';
import { CUSTOM_PREFIX } from '../contracts/vision-models.ts';
import { lessonWorkflowId, TASK_QUEUE, WORKFLOW } from '../contracts/workflows.ts';
import type { LearnCorrectionInput, TaskQueue, WorkflowType } from '../contracts/workflows.ts';
import { requestWorkflowStart } from '../outbox/index.ts';
import { statement } from '../../platform/db/statement.ts';
import type { TenantTransaction } from '../../platform/db/transaction.ts';
import { asksForChecks } from './checks.rules.ts';
import { withAccounts } from './chosen-accounts.service.ts';
import { stillValid } from './corrected-validation.rules.ts';
import { storeResult } from './corrected-results.service.ts';
import { corrected, readCorrections } from './corrections.rules.ts';
import { fieldsOfModel, fieldsOfType } from './document-fields.rules.ts';
import type { FieldKinds } from './document-fields.rules.ts';
import { environmentOf } from './requests.service.ts';
import { documentAt, withDocument } from './result-documents.rules.ts';
import type { ResultDocument } from './result-documents.rules.ts';
import type { VisionWork } from './steps.rules.ts';

/** Corrections of one document that are known when they are sent again: a retry comes soon, or never. */
const REMEMBERED = 20;

const LOCK = statement(`
  select status, environment, operation, options, result from vision_requests
  where client_id = $1 and request_id = $2 and erased_at is null for update`);
const IS_APPLIED = statement(`
  select 1 from vision_documents
  where client_id = $1 and request_id = $2 and index = $3 and $4::uuid = any(correction_ids)`);
const NOTE = statement(`
  update vision_documents set corrected_at = coalesce(corrected_at, now()),
    correction_ids = (correction_ids || $4::uuid)[greatest(1, cardinality(correction_ids) - ${String(REMEMBERED - 2)}):]
  where client_id = $1 and request_id = $2 and index = $3`);
const MODEL_FIELDS = statement(`select fields from vision_models where client_id = $1 and model_id = $2`);

interface Row extends VisionWork, Record<string, unknown> {
  status: string;
  environment: string;
  result: Record<string, unknown> | null;
}

type Extracted = Row & { result: Record<string, unknown> };

export interface CorrectedResult {
  fields: ResultDocument['fields'];
  corrected_fields: string[];
  /** Whether the call had asked for checks beyond arithmetic. */
  asksForChecks: boolean;
  /** Makes the checks again, and learns. */
  workflow: LessonWorkflow;
}

/**
 * Puts what a person says is right into a result, and has its checks made again and later extractions learn from it. What
 * was extracted stays beside it in the result and goes when that is erased; the audit trail, which never forgets, holds the
 * names of fields only. The same correction (by its id) is carried out once, however often it is asked for.
 */
export async function correctResult(
  tx: TenantTransaction,
  caller: Caller,
  { input, correctionId }: { input: CorrectResultInput; correctionId: string },
): Promise<CorrectedResult> {
  const { id: requestId, document: index } = input;
  const call = await lockExtraction(tx, caller, requestId);
  const document = documentAt(call.result, index);
  const outcome = (fields: ResultDocument['fields'], names: string[]): CorrectedResult => ({
    fields,
    corrected_fields: names,
    asksForChecks: asksForChecks(call),
    workflow: askForLesson(tx, correctionId, { requestId, index }),
  });
  const parameters = [tx.clientId, requestId, index, correctionId];
  const applied = await tx.query(IS_APPLIED, parameters);
  if (applied.length > 0) return outcome(document.fields, Object.keys(input.corrections));

  const corrections = readCorrections(input.corrections, document, await kindsOf(tx, document));
  const place = { requestId, document: index, environment: call.environment };
  const changed = { ...corrected(document, corrections), validation: stillValid(document) };
  const after = await withAccounts(tx, changed, place, corrections);
  storeResult(tx, requestId, withDocument(call.result, index, after));
  tx.write(NOTE, parameters);
  const names = corrections.map(({ path }) => path);
  audit(tx, caller, {
    action: 'document_ai.result_corrected',
    subjectType: 'vision_request',
    subjectId: requestId,
    details: { document: index, fields: names },
  });
  return outcome(after.fields, names);
}

/** A completed extraction, held; 404 where the caller has none of that id, in the sandbox or outside of it. */
async function lockExtraction(tx: TenantTransaction, caller: Caller, requestId: string): Promise<Extracted> {
  const [row] = await tx.query<Row>(LOCK, [tx.clientId, requestId]);
  if (row?.environment !== environmentOf(caller)) throw ApiError.notFound('result', requestId);
  if (row.status !== 'completed' || row.result === null) {
    throw new ApiError('CONFLICT', `The call ${requestId} is ${row.status}; only completed extractions are corrected.`);
  }
  return row as Extracted;
}

async function kindsOf(tx: TenantTransaction, { document_type: type }: ResultDocument): Promise<FieldKinds> {
  if (!type.startsWith(CUSTOM_PREFIX)) return fieldsOfType(type);
  const parameters = [tx.clientId, type.slice(CUSTOM_PREFIX.length)];
  const [model] = await tx.query<{ fields: ModelFieldDefinition[] }>(MODEL_FIELDS, parameters);
  return fieldsOfModel(model?.fields ?? []);
}

/** How long the outbox leaves the start to the API, which begins at once. */
const START_SAFETY_NET_MS = 2_000;

export interface LessonWorkflow {
  workflowType: WorkflowType;
  workflowId: string;
  taskQueue: TaskQueue;
  input: LearnCorrectionInput;
}

/** Asks for the workflow that follows corrections; the API may start it itself, under the same id. */
function askForLesson(
  tx: TenantTransaction,
  correctionId: string,
  { requestId, index }: { requestId: string; index: number },
): LessonWorkflow {
  const workflow = {
    workflowType: WORKFLOW.learnCorrection,
    workflowId: lessonWorkflowId(correctionId),
    taskQueue: TASK_QUEUE.documents,
    input: { client_id: tx.clientId, request_id: requestId, document_index: index },
  };
  requestWorkflowStart(tx, { ...workflow, availableAt: new Date(Date.now() + START_SAFETY_NET_MS) });
  return workflow;
}
