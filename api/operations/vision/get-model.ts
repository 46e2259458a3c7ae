import { GetModel, ModelResponse } from '../../../domain/contracts/vision-models.ts';
import { getModel } from '../../../domain/vision/index.ts';
import { operation } from '../../operation.ts';
import { READS_MODELS, visionRoute } from '../../vision/route.ts';

export const getModelOperation = operation({
  name: 'get-model',
  title: 'Get a model',
  description:
    'Returns a model with its state, its measured accuracy by field, its versions and how its last training ended.',
  area: 'Document AI',
  scopes: READS_MODELS,
  input: GetModel,
  output: ModelResponse,
  effects: 'read',
  route: visionRoute('models/{id}', { method: 'get', params: ['id'] }),
  errors: ['NOT_FOUND'],
  run: async ({ tx }, { id }) => ({ data: { model: await getModel(tx, id) } }),
});
