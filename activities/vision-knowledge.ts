import type { ExtractOptions, Lesson, TrainedModel } from '../documents/index.ts';
import { ApiError } from '../domain/contracts/errors.ts';
import { CUSTOM_PREFIX } from '../domain/contracts/vision-models.ts';
import { lessonsOf, servingParameters } from '../domain/vision/index.ts';
import type { VisionRequestRow } from '../domain/vision/index.ts';
import type { TenantDatabase } from '../platform/db/database.ts';
import type { TenantTransaction } from '../platform/db/transaction.ts';
import { refusal } from './refusals.ts';

/** Options of an extraction, with what the client has taught us beside them: its corrections, and the model it asks for. */
export async function withKnowledge(
  tenants: TenantDatabase,
  { client_id: clientId, environment }: Pick<VisionRequestRow, 'client_id' | 'environment'>,
  options: ExtractOptions,
): Promise<ExtractOptions> {
  const { document_type: type } = options;
  return tenants.transaction(clientId, async (tx) => {
    const [lessons, custom] = await Promise.all([
      lessonsOf(tx, environment),
      type?.startsWith(CUSTOM_PREFIX) === true ? customModel(tx, type) : undefined,
    ]);
    return {
      ...options,
      ...(lessons.length === 0 ? {} : { lessons: lessons as unknown as Lesson[] }),
      ...(custom === undefined ? {} : { custom }),
    };
  });
}

/** The version of a model that serves now. */
export async function customModel(
  tx: TenantTransaction,
  documentType: string,
): Promise<NonNullable<ExtractOptions['custom']>> {
  const modelId = documentType.slice(CUSTOM_PREFIX.length);
  const parameters = await servingParameters(tx, modelId).catch((error: unknown) => {
    if (error instanceof ApiError) throw refusal('MODEL_NOT_READY', `The custom model ${modelId} was deleted.`);
    throw error;
  });
  if (parameters === null) throw refusal('MODEL_NOT_READY', `The custom model ${modelId} is not trained yet.`);
  return { document_type: documentType, model: parameters as unknown as TrainedModel };
}
