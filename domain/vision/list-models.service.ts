import type { Page } from '../contracts/common.ts';
import { isoMoment } from '../contracts/common.ts';
import { ApiError } from '../contracts/errors.ts';
import { DOCUMENT_TYPES } from '../contracts/vision.ts';
import type { ListModelsInput, ModelData, ModelDetailData, ModelFieldDefinition } from '../contracts/vision-models.ts';
import { statement } from '../../platform/db/statement.ts';
import type { TenantTransaction } from '../../platform/db/transaction.ts';
import { fieldsOfType } from './document-fields.rules.ts';

interface Row extends Record<string, unknown> {
  model_id: string;
  name: string;
  fields: ModelFieldDefinition[];
  status: ModelData['status'];
  version: number;
  accuracy: number | null;
  samples: number;
  training_id: string | null;
  created_at: Date;
  updated_at: Date;
}

interface TrainingRow extends Record<string, unknown> {
  training_id: string;
  status: 'training' | 'ready' | 'failed';
  version: number | null;
  accuracy: number | null;
  field_accuracy: Record<string, number | null> | null;
  samples: number;
  error_code: string | null;
  error_message: string | null;
  created_at: Date;
  finished_at: Date | null;
}

const COLUMNS = `m.model_id, m.name, m.fields, m.status, m.version, t.accuracy, m.training_id, m.created_at, m.updated_at,
  (select count(*)::int from vision_samples s where s.client_id = m.client_id and s.model_id = m.model_id) as samples`;
const FROM = `vision_models m left join vision_trainings t
  on t.client_id = m.client_id and t.model_id = m.model_id and t.version = m.version`;
const LIST = statement(`select ${COLUMNS} from ${FROM} where m.client_id = $1 order by m.id desc limit $2 offset $3`);
const COUNT = statement(`select count(*)::int as total from vision_models where client_id = $1`);
const GET = statement(`select ${COLUMNS} from ${FROM} where m.client_id = $1 and m.model_id = $2`);
const TRAININGS = statement(`
  select training_id, status, version, accuracy, parameters -> 'field_accuracy' as field_accuracy, samples, error_code,
    error_message, created_at, finished_at
  from vision_trainings where client_id = $1 and model_id = $2 order by id desc`);
const SERVING = statement(`
  select t.parameters from ${FROM} where m.client_id = $1 and m.model_id = $2`);

/** What comes with the product, in the order of its types. No accuracy: it was not measured on the client's documents. */
const PRETRAINED: readonly ModelData[] = DOCUMENT_TYPES.map((type) => ({
  id: type,
  name: `${type.charAt(0).toUpperCase()}${type.slice(1).replaceAll('_', ' ')}`,
  type: 'pretrained',
  document_type: type,
  status: 'ready',
  fields: Object.entries(fieldsOfType(type)).map(([name, kind]) => ({ name, type: kind })),
  samples: null,
  accuracy: null,
  version: null,
  created_at: null,
  updated_at: null,
}));

/** The pre-trained models, then the client's own, newest first. */
export async function listModels(
  tx: TenantTransaction,
  { type, limit, offset }: ListModelsInput,
): Promise<{ models: ModelData[]; pagination: Page }> {
  const known = type === 'custom' ? [] : PRETRAINED;
  const shown = known.slice(offset, offset + limit);
  if (type === 'pretrained') return { models: shown, pagination: { total: known.length, limit, offset } };
  const skipped = Math.max(0, offset - known.length);
  const [rows, [counted]] = await Promise.all([
    tx.query<Row>(LIST, [tx.clientId, limit - shown.length, skipped]),
    tx.query<{ total: number }>(COUNT, [tx.clientId]),
  ]);
  const total = known.length + (counted?.total ?? 0);
  return { models: [...shown, ...rows.map(viewOf)], pagination: { total, limit, offset } };
}

/** One model with its versions; 404 where there is none of that id, or it is another client's. */
export async function getModel(tx: TenantTransaction, modelId: string): Promise<ModelDetailData> {
  const pretrained = PRETRAINED.find(({ id }) => id === modelId);
  if (pretrained !== undefined) return pretrained;
  const parameters = [tx.clientId, modelId];
  const [[row], trainings] = await Promise.all([
    tx.query<Row>(GET, parameters),
    tx.query<TrainingRow>(TRAININGS, parameters),
  ]);
  if (row === undefined) throw ApiError.notFound('model', modelId);
  const serving = trainings.find(({ version }) => version === row.version);
  return {
    ...viewOf(row),
    ...(serving?.field_accuracy ? { field_accuracy: serving.field_accuracy } : {}),
    versions: trainings.flatMap(({ version, accuracy, samples, created_at }) =>
      version === null ? [] : [{ version, accuracy, samples, created_at: isoMoment(created_at) }],
    ),
    last_training: lastTraining(trainings.find(({ training_id }) => training_id === row.training_id)),
  };
}

/**
 * What the version that serves has learned; null of a model that was never trained.
 * @throws ApiError NOT_FOUND where the client has no such model
 */
export async function servingParameters(
  tx: TenantTransaction,
  modelId: string,
): Promise<Record<string, unknown> | null> {
  const [row] = await tx.query<{ parameters: Record<string, unknown> | null }>(SERVING, [tx.clientId, modelId]);
  if (row === undefined) throw ApiError.notFound('custom model', modelId);
  return row.parameters;
}

function lastTraining(row: TrainingRow | undefined): ModelDetailData['last_training'] {
  if (row === undefined) return null;
  const { training_id, status, error_code: code, error_message: message } = row;
  return {
    training_id,
    status,
    error: code === null ? null : { code, message: message ?? '' },
    created_at: isoMoment(row.created_at),
    finished_at: isoMoment(row.finished_at),
  };
}

function viewOf(row: Row): ModelData {
  return {
    id: row.model_id,
    name: row.name,
    type: 'custom',
    document_type: 'custom',
    status: row.status,
    fields: row.fields,
    samples: row.samples,
    accuracy: row.accuracy,
    version: row.version === 0 ? null : row.version,
    created_at: isoMoment(row.created_at),
    updated_at: isoMoment(row.updated_at),
  };
}
