import { audit } from '../audit/index.ts';
import type { Caller } from '../contracts/caller.ts';
import { ApiError } from '../contracts/errors.ts';
import type { ModelFieldDefinition } from '../contracts/vision-models.ts';
import { MAX_SAMPLES, MIN_SAMPLES } from '../contracts/vision-models.ts';
import { TASK_QUEUE, trainingWorkflowId, WORKFLOW } from '../contracts/workflows.ts';
import { requestWorkflowStart } from '../outbox/index.ts';
import { statement } from '../../platform/db/statement.ts';
import type { TenantTransaction } from '../../platform/db/transaction.ts';
import { checkAnnotations } from './annotations.rules.ts';
import type { Annotations } from './annotations.rules.ts';
import { lockModel, modelFolder } from './models.service.ts';

const FIELDS = statement(`select fields from vision_models where client_id = $1 and model_id = $2`);
const FIND = statement(`
  select samples from vision_trainings where client_id = $1 and model_id = $2 and training_id = $3`);
const COUNT = statement(`select count(*)::int as count from vision_samples where client_id = $1 and model_id = $2`);
const INSERT_SAMPLES = statement(`
  insert into vision_samples (client_id, model_id, training_id, index, annotations)
  select $1, $2, $3, (s.ordinality - 1)::int, s.value from jsonb_array_elements($4::jsonb) with ordinality s`);
const INSERT = statement(`
  insert into vision_trainings (client_id, training_id, model_id, samples, webhook_url, api_key_id, oauth_application_id)
  values ($1, $2, $3, $4, $5, $6, $7)`);
const BEGIN = statement(`
  update vision_models set status = 'training', training_id = $3, updated_at = now() where client_id = $1 and model_id = $2`);

/** A training that is asked for; the files of its samples are about to lie, or lie, in its folder. */
export interface NewTraining {
  modelId: string;
  trainingId: string;
  samples: readonly Annotations[];
  webhookUrl?: string | undefined;
}

/** Where the files of one training's samples lie. */
export function trainingFolder({ modelId, trainingId }: Pick<NewTraining, 'modelId' | 'trainingId'>): string {
  return `${modelFolder(modelId)}/${trainingId}`;
}

/** Where one sample lies: its file is `source` there. */
export function sampleFolder(training: Pick<NewTraining, 'modelId' | 'trainingId'>, index: number): string {
  return `${trainingFolder(training)}/${String(index)}`;
}

/** Samples that a training which was accepted before under this id is made on. */
export async function findTraining(tx: TenantTransaction, training: NewTraining): Promise<number | undefined> {
  const [row] = await tx.query<{ samples: number }>(FIND, [tx.clientId, training.modelId, training.trainingId]);
  return row?.samples;
}

/** Refuses what {@link openTraining} would, before the files are stored. */
export async function checkTraining(tx: TenantTransaction, training: NewTraining): Promise<number> {
  const { modelId, samples } = training;
  const { status } = await lockModel(tx, modelId);
  if (status === 'training') {
    throw new ApiError('CONFLICT', `The model ${modelId} is being trained. Wait until that has ended.`);
  }
  const parameters = [tx.clientId, modelId];
  const [[model], [counted]] = await Promise.all([
    tx.query<{ fields: ModelFieldDefinition[] }>(FIELDS, parameters),
    tx.query<{ count: number }>(COUNT, parameters),
  ]);
  const earlier = counted?.count ?? 0;
  checkNumber(samples.length, earlier);
  checkAnnotations(model?.fields ?? [], samples);
  return Math.min(MAX_SAMPLES, earlier + samples.length);
}

function checkNumber(added: number, earlier: number): void {
  const sent = `${String(added)} sent`;
  if (added === 0 || added + earlier < MIN_SAMPLES) {
    const stored = earlier === 0 ? '' : `, ${String(earlier)} there already`;
    const issue = `${sent}${stored}; a model needs at least ${String(MIN_SAMPLES)} samples, better 5 to 10`;
    throw ApiError.unprocessable(`Too few samples: ${issue}.`, [{ field: 'documents', issue }]);
  }
  if (added > MAX_SAMPLES) {
    const issue = `${sent}; a training takes at most ${String(MAX_SAMPLES)} samples`;
    throw ApiError.unprocessable(`Too many samples: ${issue}.`, [{ field: 'documents', issue }]);
  }
}

/**
 * Accepts a training: its row, its samples and the outbox entry that starts its workflow, in one transaction. One that was
 * accepted before (an Idempotency-Key sent again) changes nothing. Answers how many samples it is made on.
 */
export async function openTraining(tx: TenantTransaction, caller: Caller, training: NewTraining): Promise<number> {
  const { modelId, trainingId } = training;
  const { clientId } = tx;
  await lockModel(tx, modelId);
  const opened = await findTraining(tx, training);
  if (opened !== undefined) return opened;
  const samples = await checkTraining(tx, training);
  tx.write(INSERT_SAMPLES, [clientId, modelId, trainingId, JSON.stringify(training.samples)]);
  tx.write(INSERT, [
    clientId,
    trainingId,
    modelId,
    samples,
    training.webhookUrl ?? null,
    caller.apiKey?.id ?? null,
    caller.application?.id ?? null,
  ]);
  tx.write(BEGIN, [clientId, modelId, trainingId]);
  requestWorkflowStart(tx, {
    workflowType: WORKFLOW.trainModel,
    workflowId: trainingWorkflowId(trainingId),
    taskQueue: TASK_QUEUE.documents,
    input: { client_id: clientId, model_id: modelId, training_id: trainingId },
  });
  audit(tx, caller, {
    action: 'document_ai.model_training_started',
    subjectType: 'vision_model',
    subjectId: modelId,
    details: { training_id: trainingId, added: training.samples.length, samples },
  });
  return samples;
}
