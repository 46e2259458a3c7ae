import { ApiError } from '../../../domain/contracts/errors.ts';
import { TrainModel, TrainResponse } from '../../../domain/contracts/vision-models.ts';
import type { TrainModelInput } from '../../../domain/contracts/vision-models.ts';
import {
  checkTraining,
  findTraining,
  openTraining,
  sampleFolder,
  trainingFolder,
} from '../../../domain/vision/index.ts';
import type { NewTraining } from '../../../domain/vision/index.ts';
import { detachedOperation } from '../../operation.ts';
import type { DetachedContext } from '../../operation.ts';
import { checkCallbackUrl } from '../../vision/callback-url.ts';
import { visionRoute } from '../../vision/route.ts';
import { sourceFile } from '../../vision/source-file.ts';

const MAX_BODY_BYTES = 100 * 1_048_576;

export const trainModelOperation = detachedOperation({
  name: 'train-model',
  title: 'Train a custom model',
  description:
    'Adds annotated documents to the samples of a custom model and trains it on all of them, in the background; 5 to 10 are recommended. The version before serves until the new one is ready. The event vision.model.ready or vision.model.failed, or a webhook_url, tells how it ended.',
  area: 'Document AI',
  scopes: ['vision:models'],
  input: TrainModel,
  output: TrainResponse,
  effects: 'write',
  route: {
    ...visionRoute('models/{id}/train', { method: 'post', params: ['id'], status: 202 }),
    maxBodyBytes: MAX_BODY_BYTES,
  },
  errors: ['NOT_FOUND', 'CONFLICT', 'UNPROCESSABLE_ENTITY'],
  joinable: true,
  run: async (context, { id: modelId, documents, webhook_url: webhookUrl }) => {
    const { services, caller, request } = context;
    checkCallbackUrl(services, webhookUrl);
    const trainingId = request.requestId;
    const training = { modelId, trainingId, samples: documents.map(({ annotations }) => annotations), webhookUrl };
    const opened = await services.tenants.transaction(caller.clientId, async (tx) => {
      const joined = await findTraining(tx, training);
      if (joined === undefined) await checkTraining(tx, training);
      return joined;
    });
    const samples = opened ?? (await begin(context, training, documents));
    return { data: { model_id: modelId, training_id: trainingId, status: 'training' as const, samples } };
  },
});

/** Stores the files first: a training whose row is there has all its samples. */
async function begin(
  { services, caller }: DetachedContext,
  training: NewTraining,
  documents: TrainModelInput['documents'],
): Promise<number> {
  try {
    for (const [index, { file_base64 }] of documents.entries()) {
      const bytes = await sampleFile(index, () => sourceFile(services, { file_base64 }));
      await services.blobs.put(`${sampleFolder(training, index)}/source`, bytes);
    }
    return await services.tenants.transaction(caller.clientId, (tx) => openTraining(tx, caller, training));
  } catch (error) {
    // A refusal leaves nothing behind. After anything else the training may have been accepted all the same.
    if (error instanceof ApiError) await services.blobs.deleteAll(trainingFolder(training));
    throw error;
  }
}

/** What is wrong with a file names the document that it came with. */
async function sampleFile(index: number, read: () => Promise<Uint8Array>): Promise<Uint8Array> {
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    const place = `documents[${String(index)}]`;
    const details = error.details?.map(({ field, issue }) => ({ field: `${place}.${field}`, issue }));
    throw new ApiError(error.code, `${place}: ${error.message}`, details === undefined ? {} : { details });
  }
}
