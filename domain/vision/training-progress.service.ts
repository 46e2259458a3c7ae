import type { DocumentFailureCode } from '../contracts/vision.ts';
import type { ModelFieldDefinition } from '../contracts/vision-models.ts';
import { MAX_SAMPLES, MAX_VERSIONS } from '../contracts/vision-models.ts';
import type { TrainModelInput as TrainModelWork } from '../contracts/workflows.ts';
import { recordEvent } from '../events/index.ts';
import { queueCallback } from '../webhooks/index.ts';
import type { TenantDatabase } from '../../platform/db/database.ts';
import { statement } from '../../platform/db/statement.ts';
import type { TenantTransaction } from '../../platform/db/transaction.ts';
import { storableJson } from '../../platform/storable-json.ts';
import type { Annotations } from './annotations.rules.ts';

export interface SampleRow extends Record<string, unknown> {
  id: number;
  training_id: string;
  index: number;
  annotations: Annotations;
  pages: number | null;
}

interface OpenTraining extends Record<string, unknown> {
  samples: number;
  webhook_url: string | null;
  api_key_id: number | null;
  oauth_application_id: number | null;
}

const SAMPLE_COLUMNS = `id, training_id, index, annotations, pages`;
const OPEN = statement(`
  select m.fields from vision_models m where m.client_id = $1 and m.model_id = $2 and m.training_id = $3
    and m.status = 'training'`);
const SAMPLES = statement(`
  select ${SAMPLE_COLUMNS} from vision_samples where client_id = $1 and model_id = $2 order by id desc limit ${String(MAX_SAMPLES)}`);
const SURPLUS = statement(`
  select ${SAMPLE_COLUMNS} from vision_samples where client_id = $1 and model_id = $2 order by id desc offset ${String(MAX_SAMPLES)}`);
const PAGES = statement(`update vision_samples set pages = $3 where client_id = $1 and id = $2`);
const LOCK_MODEL = statement(`
  select 1 from vision_models
  where client_id = $1 and model_id = $2 and training_id = $3 and status = 'training' for update`);
const LOCK = statement(`
  select samples, webhook_url, api_key_id, oauth_application_id from vision_trainings
  where client_id = $1 and training_id = $2 and status = 'training' for update`);
const LAST_VERSION = statement(`
  select coalesce(max(version), 0)::int as version from vision_trainings where client_id = $1 and model_id = $2`);
const SUCCEED = statement(`
  update vision_trainings set status = 'ready', version = $3, parameters = $4, accuracy = $5, finished_at = now()
  where client_id = $1 and training_id = $2`);
const SERVE = statement(`
  update vision_models set status = 'ready', version = $3, updated_at = now() where client_id = $1 and model_id = $2`);
const FORGET_OLD = statement(`
  delete from vision_trainings t using vision_models m
  where t.client_id = $1 and t.model_id = $2 and m.client_id = $1 and m.model_id = $2 and t.status <> 'training'
    and t.version is distinct from m.version and t.id not in (
    select id from vision_trainings where client_id = $1 and model_id = $2 order by id desc limit ${String(MAX_VERSIONS)})`);
const FAIL = statement(`
  update vision_trainings set status = 'failed', error_code = $3, error_message = $4, finished_at = now()
  where client_id = $1 and training_id = $2`);
const FAIL_MODEL = statement(`
  update vision_models set status = 'failed', updated_at = now() where client_id = $1 and model_id = $2`);
const DELETE_NEW = statement(`delete from vision_samples where client_id = $1 and training_id = $2`);
const DELETE_SAMPLES = statement(`delete from vision_samples where client_id = $1 and id = any($2::bigint[])`);

/** What a training learned: the engine's parameters, and how good they are on the samples. */
export interface Learned {
  parameters: Record<string, unknown>;
  accuracy: number | null;
}

/** The fields of the model that is trained; undefined where that training has ended or the model is gone. */
export async function fieldsInTraining(
  tx: TenantTransaction,
  { model_id, training_id }: TrainModelWork,
): Promise<ModelFieldDefinition[] | undefined> {
  const [row] = await tx.query<{ fields: ModelFieldDefinition[] }>(OPEN, [tx.clientId, model_id, training_id]);
  return row?.fields;
}

/** The samples that a model is trained on, oldest first. */
export async function samplesOf(tx: TenantTransaction, modelId: string): Promise<SampleRow[]> {
  return (await tx.query<SampleRow>(SAMPLES, [tx.clientId, modelId])).reverse();
}

/** Samples that newer ones have taken the place of. */
export function surplusSamples(tx: TenantTransaction, modelId: string): Promise<SampleRow[]> {
  return tx.query<SampleRow>(SURPLUS, [tx.clientId, modelId]);
}

export function notePages(tx: TenantTransaction, sampleId: number, pages: number): void {
  tx.write(PAGES, [tx.clientId, sampleId, pages]);
}

export function forgetSamples(tx: TenantTransaction, ids: readonly number[]): void {
  if (ids.length > 0) tx.write(DELETE_SAMPLES, [tx.clientId, ids]);
}

/** Makes what was learned the version that serves, with event and callback, in one transaction, once. */
export function completeTraining(
  db: TenantDatabase,
  work: TrainModelWork,
  { parameters, accuracy }: Learned,
  now: number,
): Promise<void> {
  return db.transaction(work.client_id, async (tx) => {
    const training = await lockTraining(tx, work);
    if (training === undefined) return;
    const { clientId } = tx;
    const { model_id: modelId, training_id: trainingId } = work;
    const [last] = await tx.query<{ version: number }>(LAST_VERSION, [clientId, modelId]);
    const version = (last?.version ?? 0) + 1;
    tx.write(SUCCEED, [clientId, trainingId, version, storableJson(parameters), accuracy]);
    tx.write(SERVE, [clientId, modelId, version]);
    tx.write(FORGET_OLD, [clientId, modelId]);
    announce(tx, work, training, { status: 'ready', accuracy, error: null, now });
  });
}

/**
 * Closes a training that could not be carried out, with event and callback, in one transaction, once. The samples that it
 * brought go with it: whoever sees that it failed trains again without them.
 */
export function failTraining(
  db: TenantDatabase,
  work: TrainModelWork,
  error: { code: DocumentFailureCode; message: string },
  now: number,
): Promise<void> {
  return db.transaction(work.client_id, async (tx) => {
    const training = await lockTraining(tx, work);
    if (training === undefined) return;
    tx.write(FAIL, [tx.clientId, work.training_id, error.code, error.message]);
    tx.write(FAIL_MODEL, [tx.clientId, work.model_id]);
    tx.write(DELETE_NEW, [tx.clientId, work.training_id]);
    tx.write(FORGET_OLD, [tx.clientId, work.model_id]);
    announce(tx, work, training, { status: 'failed', accuracy: null, error, now });
  });
}

/** Undefined where the training was closed before, or its model deleted: nothing is said twice. */
async function lockTraining(tx: TenantTransaction, work: TrainModelWork): Promise<OpenTraining | undefined> {
  const [model] = await tx.query(LOCK_MODEL, [tx.clientId, work.model_id, work.training_id]);
  if (model === undefined) return undefined;
  const [training] = await tx.query<OpenTraining>(LOCK, [tx.clientId, work.training_id]);
  return training;
}

/** The event for the client's webhooks, and the callback to the address that the training named. */
function announce(
  tx: TenantTransaction,
  { model_id, training_id }: TrainModelWork,
  training: OpenTraining,
  outcome: {
    status: 'ready' | 'failed';
    accuracy: number | null;
    error: { code: string; message: string } | null;
    now: number;
  },
): void {
  const { now, ...rest } = outcome;
  const name = `vision.model.${outcome.status}`;
  const timestamp = new Date(now).toISOString();
  const data = { event: name, model_id, training_id, samples: training.samples, ...rest, timestamp };
  const eventId = recordEvent(tx, { name, data });
  const { webhook_url: url, api_key_id: apiKeyId, oauth_application_id: applicationId } = training;
  if (url === null) return;
  const signer = {
    ...(apiKeyId === null ? {} : { apiKeyId }),
    ...(applicationId === null ? {} : { applicationId }),
  };
  queueCallback(tx, { eventId, eventType: name, url, ...signer });
}
