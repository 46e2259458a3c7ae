import { randomInt } from 'node:crypto';
import { audit } from '../audit/index.ts';
import type { Caller } from '../contracts/caller.ts';
import { ApiError } from '../contracts/errors.ts';
import type { CreateModelInput, ModelDetailData } from '../contracts/vision-models.ts';
import { MODELS_BY_TIER } from '../contracts/vision-models.ts';
import { eraseModelWorkflowId, TASK_QUEUE, WORKFLOW } from '../contracts/workflows.ts';
import { requestWorkflowStart } from '../outbox/index.ts';
import { statement } from '../../platform/db/statement.ts';
import type { TenantTransaction } from '../../platform/db/transaction.ts';
import { getModel } from './list-models.service.ts';

const ID_SIGNS = 'abcdefghijklmnopqrstuvwxyz0123456789';
const ID_LENGTH = 20;

// Two models that are made at once must not both take the last place.
const LOCK_COUNT = statement(`select pg_advisory_xact_lock(hashtextextended('vision-models', $1))`);
const COUNT = statement(`select count(*)::int as count from vision_models where client_id = $1`);
const INSERT = statement(`insert into vision_models (client_id, model_id, name, fields) values ($1, $2, $3, $4)`);
const LOCK = statement(`
  select model_id, status, version, training_id from vision_models where client_id = $1 and model_id = $2 for update`);
const DELETE_LESSONS = statement(`delete from vision_lessons where client_id = $1 and document_type = $2`);
const DELETE_SAMPLES = statement(`delete from vision_samples where client_id = $1 and model_id = $2`);
const DELETE_TRAININGS = statement(`delete from vision_trainings where client_id = $1 and model_id = $2`);
const DELETE = statement(`delete from vision_models where client_id = $1 and model_id = $2`);
const EARLIER = statement(`
  select version from vision_trainings
  where client_id = $1 and model_id = $2 and version is not null and version <> $3 and ($4::int is null or version = $4)
    and ($4::int is not null or version < $3)
  order by version desc limit 1`);
const SERVE = statement(`
  update vision_models set version = $3, status = 'ready', updated_at = now() where client_id = $1 and model_id = $2`);

interface LockedModel extends Record<string, unknown> {
  model_id: string;
  status: string;
  version: number;
  training_id: string | null;
}

/** Where everything of a model lies in the blob store: its samples and their words. */
export function modelFolder(modelId: string): string {
  return `vision-models/${modelId}`;
}

/** Makes a draft, which has to be trained before anything can be extracted with it. */
export async function createModel(
  tx: TenantTransaction,
  caller: Caller,
  { name, fields }: CreateModelInput,
): Promise<ModelDetailData> {
  const { clientId } = tx;
  const [, [counted]] = await Promise.all([
    tx.query(LOCK_COUNT, [clientId]),
    tx.query<{ count: number }>(COUNT, [clientId]),
  ]);
  const { tier } = caller.client;
  const most = MODELS_BY_TIER[tier] ?? 0;
  if ((counted?.count ?? 0) >= most) {
    throw ApiError.tierRestricted(
      `The tier ${tier} has room for ${String(most)} custom models. Delete one that is no longer needed, or move to a higher tier.`,
    );
  }
  const id = `mdl_${Array.from({ length: ID_LENGTH }, () => ID_SIGNS[randomInt(ID_SIGNS.length)] ?? 'a').join('')}`;
  tx.write(INSERT, [clientId, id, name, JSON.stringify(fields)]);
  note(tx, caller, { action: 'created', modelId: id, details: { name } });
  return getModel(tx, id);
}

/**
 * Deletes a model for good: its versions, its samples and what corrections taught of its documents. A training under way
 * is stopped by another, so that this holds even while Temporal is away.
 */
export async function deleteModel(tx: TenantTransaction, caller: Caller, modelId: string): Promise<void> {
  const { clientId } = tx;
  const { status, training_id: trainingId } = await lockModel(tx, modelId);
  tx.write(DELETE_LESSONS, [clientId, `custom:${modelId}`]);
  for (const sql of [DELETE_SAMPLES, DELETE_TRAININGS, DELETE]) tx.write(sql, [clientId, modelId]);
  note(tx, caller, { action: 'deleted', modelId, details: { was: status } });
  requestWorkflowStart(tx, {
    workflowType: WORKFLOW.eraseModel,
    workflowId: eraseModelWorkflowId(modelId),
    taskQueue: TASK_QUEUE.documents,
    input: { client_id: clientId, model_id: modelId, training_id: status === 'training' ? trainingId : null },
  });
}

/** Lets an earlier version serve again: the one before, or the one that is named. */
export async function rollbackModel(
  tx: TenantTransaction,
  caller: Caller,
  { modelId, version }: { modelId: string; version?: number | undefined },
): Promise<ModelDetailData> {
  const model = await lockModel(tx, modelId);
  if (model.status === 'training') {
    throw new ApiError('CONFLICT', `The model ${modelId} is being trained. Wait until that has ended.`);
  }
  if (version !== undefined && version === model.version) return getModel(tx, modelId);
  const parameters = [tx.clientId, modelId, model.version, version ?? null];
  const [earlier] = await tx.query<{ version: number }>(EARLIER, parameters);
  if (earlier === undefined) {
    const which = version === undefined ? 'no earlier version' : `no version ${String(version)}`;
    throw new ApiError('CONFLICT', `The model ${modelId} has ${which} to return to.`);
  }
  tx.write(SERVE, [tx.clientId, modelId, earlier.version]);
  note(tx, caller, { action: 'rolled_back', modelId, details: { from: model.version, to: earlier.version } });
  return getModel(tx, modelId);
}

/** The row of a model, held until the transaction ends; 404 where the client has none of that id. */
export async function lockModel(tx: TenantTransaction, modelId: string): Promise<LockedModel> {
  const [row] = await tx.query<LockedModel>(LOCK, [tx.clientId, modelId]);
  if (row === undefined) throw ApiError.notFound('custom model', modelId);
  return row;
}

function note(
  tx: TenantTransaction,
  caller: Caller,
  { action, modelId, details }: { action: string; modelId: string; details: Record<string, unknown> },
): void {
  audit(tx, caller, {
    action: `document_ai.model_${action}`,
    subjectType: 'vision_model',
    subjectId: modelId,
    details,
  });
}
