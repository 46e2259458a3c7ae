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
import { corrected, readCorrections } from './corrections.rules.ts';
import type { CorrectableDocument, Correction } from './corrections.rules.ts';
import { fieldsOfModel, fieldsOfType } from './document-fields.rules.ts';
import type { FieldKinds } from './document-fields.rules.ts';
import { learnAccount, listAccounts } from './ledger-accounts.service.ts';
import { documentAt, withDocument } from './result-documents.rules.ts';
import type { ResultDocument } from './result-documents.rules.ts';

const LOCK = statement(`
  select status, operation, result from vision_requests
  where client_id = $1 and request_id = $2 and erased_at is null for update`);
const STORE = statement(`update vision_requests set result = $3 where client_id = $1 and request_id = $2`);
const NOTE = statement(`
  update vision_documents set corrected_at = coalesce(corrected_at, now())
  where client_id = $1 and request_id = $2 and index = $3`);
const MODEL_FIELDS = statement(`select fields from vision_models where client_id = $1 and model_id = $2`);

interface Row extends Record<string, unknown> {
  status: string;
  operation: string;
  result: Record<string, unknown> | null;
}

export interface CorrectedResult {
  fields: ResultDocument['fields'];
  corrected_fields: string[];
  /** The workflow that learns from it; undefined where there is nothing that a page could teach. */
  lesson?: LessonWorkflow;
}

/**
 * Puts what a person says is right into a result, and has later extractions learn from it. What was extracted stays beside
 * it in the result and goes when that is erased; the audit trail, which never forgets, holds the names of fields only.
 */
export async function correctResult(
  tx: TenantTransaction,
  caller: Caller,
  { input, correctionId }: { input: CorrectResultInput; correctionId: string },
): Promise<CorrectedResult> {
  const { id: requestId, document: index } = input;
  const result = await extractionOf(tx, requestId);
  const document = documentAt(result, index);
  const corrections = readCorrections(input.corrections, document, await kindsOf(tx, document));
  const after = await withAccounts(tx, corrected(document, corrections), { requestId, index, corrections });
  tx.write(STORE, [tx.clientId, requestId, JSON.stringify(withDocument(result, index, after))]);
  tx.write(NOTE, [tx.clientId, requestId, index]);
  const names = corrections.map(({ path }) => path);
  audit(tx, caller, {
    action: 'document_ai.result_corrected',
    subjectType: 'vision_request',
    subjectId: requestId,
    details: { document: index, fields: names },
  });
  const answer = { fields: after.fields, corrected_fields: names };
  if (corrections.every(({ line }) => line !== undefined)) return answer;
  return { ...answer, lesson: askForLesson(tx, correctionId, { requestId, index, corrections }) };
}

async function extractionOf(tx: TenantTransaction, requestId: string): Promise<Record<string, unknown>> {
  const [row] = await tx.query<Row>(LOCK, [tx.clientId, requestId]);
  if (row === undefined) throw ApiError.notFound('result', requestId);
  if (row.status !== 'completed' || row.result === null) {
    throw new ApiError('CONFLICT', `The call ${requestId} is ${row.status}; only completed extractions are corrected.`);
  }
  return row.result;
}

async function kindsOf(tx: TenantTransaction, { document_type: type }: ResultDocument): Promise<FieldKinds> {
  if (!type.startsWith(CUSTOM_PREFIX)) return fieldsOfType(type);
  const parameters = [tx.clientId, type.slice(CUSTOM_PREFIX.length)];
  const [model] = await tx.query<{ fields: ModelFieldDefinition[] }>(MODEL_FIELDS, parameters);
  return fieldsOfModel(model?.fields ?? []);
}

interface Corrected {
  requestId: string;
  index: number;
  corrections: readonly Correction[];
}

/** Remembers the accounts that were chosen for lines, and puts them among the suggestions. */
async function withAccounts(
  tx: TenantTransaction,
  document: ResultDocument,
  { requestId, index, corrections }: Corrected,
): Promise<ResultDocument> {
  const choices = corrections.filter(({ field, line }) => line !== undefined && field === 'gl_code');
  if (choices.length === 0) return document;
  const { accounts } = await listAccounts(tx);
  const suggestions = new Map((document.validation?.gl_code_suggestions ?? []).map((one) => [one.line, one]));
  for (const { path, line = 0, value } of choices) {
    const place = { requestId, document: index, line };
    suggestions.delete(line + 1);
    if (value === null) {
      learnAccount(tx, place, null);
      continue;
    }
    const account = accounts.find(({ gl_code, is_active }) => gl_code === value && is_active);
    if (account === undefined) {
      throw ApiError.invalid(
        `corrections.${path}`,
        'is no active account of the chart; GET /api/v1/vision/ledger-accounts lists them',
      );
    }
    const { gl_code, gl_name } = account;
    learnAccount(tx, place, { gl_code, ...lineWords(document, line) });
    suggestions.set(line + 1, { line: line + 1, gl_code, gl_name, confidence: 1 });
  }
  const sorted = [...suggestions.values()].sort((a, b) => a.line - b.line);
  return { ...document, validation: { ...document.validation, gl_code_suggestions: sorted } };
}

/** What of a line tells which account the next one like it goes to. */
function lineWords(
  { fields, line_items: lines = [] }: CorrectableDocument,
  line: number,
): { description: string; vendor: string | null } {
  const text = (value: unknown): string | undefined => (typeof value === 'string' ? value.slice(0, 500) : undefined);
  return {
    description: text(lines[line]?.['description']?.value) ?? '',
    vendor: text(fields['vendor_name']?.value) ?? text(fields['merchant_name']?.value) ?? null,
  };
}

/** How long the outbox leaves the start to the API, which begins at once. */
const START_SAFETY_NET_MS = 2_000;

export interface LessonWorkflow {
  workflowType: WorkflowType;
  workflowId: string;
  taskQueue: TaskQueue;
  input: LearnCorrectionInput;
}

/** Asks for the workflow that learns from the corrections; the API may start it itself, under the same id. */
function askForLesson(tx: TenantTransaction, correctionId: string, { requestId, index }: Corrected): LessonWorkflow {
  const workflow = {
    workflowType: WORKFLOW.learnCorrection,
    workflowId: lessonWorkflowId(correctionId),
    taskQueue: TASK_QUEUE.documents,
    input: { client_id: tx.clientId, request_id: requestId, document_index: index },
  };
  requestWorkflowStart(tx, { ...workflow, availableAt: new Date(Date.now() + START_SAFETY_NET_MS) });
  return workflow;
}
