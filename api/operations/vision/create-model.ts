import { CreateModel, ModelResponse } from '../../../domain/contracts/vision-models.ts';
import { createModel } from '../../../domain/vision/index.ts';
import { operation } from '../../operation.ts';
import { visionRoute } from '../../vision/route.ts';

export const createModelOperation = operation({
  name: 'create-model',
  title: 'Create a custom model',
  description:
    'Makes a draft of a model for documents of your own: the fields and tables to extract. Train it with annotated samples, then extract with document_type custom:<id>.',
  area: 'Document AI',
  scopes: ['vision:models'],
  input: CreateModel,
  output: ModelResponse,
  effects: 'write',
  route: visionRoute('models', { method: 'post', status: 201 }),
  errors: ['TIER_RESTRICTED'],
  run: async ({ tx, caller }, input) => ({ data: { model: await createModel(tx, caller, input) } }),
});
