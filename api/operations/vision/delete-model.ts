import { DeletedModel, GetModel } from '../../../domain/contracts/vision-models.ts';
import { deleteModel, modelFolder } from '../../../domain/vision/index.ts';
import { operation } from '../../operation.ts';
import { visionRoute } from '../../vision/route.ts';

export const deleteModelOperation = operation({
  name: 'delete-model',
  title: 'Delete a custom model',
  description: 'Deletes a custom model for good, with its versions and the documents it was trained on.',
  area: 'Document AI',
  scopes: ['vision:models'],
  input: GetModel,
  output: DeletedModel,
  effects: 'destructive',
  route: visionRoute('models/{id}', { method: 'delete', params: ['id'] }),
  errors: ['NOT_FOUND'],
  run: async ({ tx, caller, services }, { id }) => {
    await deleteModel(tx, caller, id);
    // Before the answer where the store can be reached; the workflow does it again.
    const afterCommit = (): Promise<void> =>
      services.blobs.deleteAll(modelFolder(id)).catch((error: unknown) => {
        services.log.warn({ err: (error as Error).message, model_id: id }, 'left to the workflow: blobs not erased');
      });
    return { data: { model_id: id, deleted: true as const }, afterCommit };
  },
});
