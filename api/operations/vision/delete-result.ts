import { GetResult } from '../../../domain/contracts/vision.ts';
import { DeletedResult } from '../../../domain/contracts/vision-results.ts';
import { eraseRequest, visionFolder } from '../../../domain/vision/index.ts';
import { operation } from '../../operation.ts';
import { ANY_VISION_SCOPE, visionRoute } from '../../vision/route.ts';

export const deleteResultOperation = operation({
  name: 'delete-result',
  title: 'Delete a result',
  description:
    'Erases a call at once and for good: the file, what was read and the result. One that is queued or running is cancelled and costs nothing.',
  area: 'Document AI',
  scopes: ANY_VISION_SCOPE,
  input: GetResult,
  output: DeletedResult,
  effects: 'destructive',
  route: visionRoute('results/{id}', { method: 'delete', params: ['id'] }),
  errors: ['NOT_FOUND'],
  run: async ({ tx, caller, services }, { id }) => {
    await eraseRequest(tx, caller, id);
    // Before the answer where the store can be reached; the workflow does it again.
    const afterCommit = (): Promise<void> =>
      services.blobs.deleteAll(visionFolder(id)).catch((error: unknown) => {
        services.log.warn({ err: (error as Error).message, request_id: id }, 'left to the workflow: blobs not erased');
      });
    return { data: { request_id: id, deleted: true as const }, afterCommit };
  },
});
