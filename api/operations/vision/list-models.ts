import { ListModels, ModelList } from '../../../domain/contracts/vision-models.ts';
import { listModels } from '../../../domain/vision/index.ts';
import { operation } from '../../operation.ts';
import { READS_MODELS, visionRoute } from '../../vision/route.ts';

export const listModelsOperation = operation({
  name: 'list-models',
  title: 'List models',
  description:
    'Lists the models that documents are extracted with: the pre-trained ones, then the client’s own, newest first.',
  area: 'Document AI',
  scopes: READS_MODELS,
  input: ListModels,
  output: ModelList,
  paginated: true,
  effects: 'read',
  route: visionRoute('models', { method: 'get' }),
  run: async ({ tx }, input) => {
    const { models, pagination } = await listModels(tx, input);
    return { data: { models }, pagination };
  },
});
