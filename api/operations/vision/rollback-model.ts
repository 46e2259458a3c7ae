import { ModelResponse, RollbackModel } from '../../../domain/contracts/vision-models.ts';
import { rollbackModel } from '../../../domain/vision/index.ts';
import { operation } from '../../operation.ts';
import { visionRoute } from '../../vision/route.ts';

export const rollbackModelOperation = operation({
  name: 'rollback-model',
  title: 'Roll a custom model back',
  description:
    'Lets an earlier version of a custom model serve again: the one before, or the version that is named. The later ones stay and can be returned to.',
  area: 'Document AI',
  scopes: ['vision:models'],
  input: RollbackModel,
  output: ModelResponse,
  effects: 'write',
  route: visionRoute('models/{id}/rollback', { method: 'post', params: ['id'] }),
  errors: ['NOT_FOUND', 'CONFLICT'],
  run: async ({ tx, caller }, { id, version }) => ({
    data: { model: await rollbackModel(tx, caller, { modelId: id, version }) },
  }),
});
