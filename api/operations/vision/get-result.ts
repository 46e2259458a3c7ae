import { GetResult } from '../../../domain/contracts/vision.ts';
import { VisionResult } from '../../../domain/contracts/vision-steps.ts';
import { failureOf, getResultRow } from '../../../domain/vision/index.ts';
import { operation } from '../../operation.ts';
import { answerOf } from '../../vision/answer.ts';
import { ANY_VISION_SCOPE, visionRoute } from '../../vision/route.ts';

export const getResultOperation = operation({
  name: 'get-result',
  title: 'Get a result',
  description: 'Returns the result of a call, or how far it is. A failed one answers with its error.',
  area: 'Document AI',
  scopes: ANY_VISION_SCOPE,
  input: GetResult,
  output: VisionResult,
  effects: 'read',
  route: visionRoute('results/{id}', { method: 'get', params: ['id'] }),
  errors: ['NOT_FOUND', 'UNSUPPORTED_MEDIA_TYPE', 'UNPROCESSABLE_ENTITY'],
  run: async ({ tx, caller, services }, input) => {
    const row = await getResultRow(tx, caller, input.id);
    if (row.status === 'failed') throw failureOf(row);
    return { data: { status: 'completed' as const, ...(await answerOf(services, row)) } };
  },
});
