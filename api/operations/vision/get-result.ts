import { ExtractResponse, GetResult } from '../../../domain/contracts/vision.ts';
import { failureOf, getVisionRequest } from '../../../domain/vision/index.ts';
import { operation } from '../../operation.ts';
import { resultOf } from '../../vision/run-extraction.ts';

export const getResultOperation = operation({
  name: 'get-result',
  title: 'Get an extraction result',
  description: 'Returns the result of an extraction, or how far it is. A failed one answers with its error.',
  area: 'Document AI',
  scopes: ['vision:extract'],
  input: GetResult,
  output: ExtractResponse,
  effects: 'read',
  route: {
    method: 'get',
    path: '/api/v1/vision/results/{id}',
    auth: ['bearer_key', 'oauth'],
    shape: 'flat',
    params: ['id'],
  },
  errors: ['NOT_FOUND', 'UNPROCESSABLE_ENTITY'],
  run: async ({ tx, caller }, input) => {
    const row = await getVisionRequest(tx, caller.clientId, input.id);
    if (row.status === 'failed') throw failureOf(row);
    return { data: resultOf(row) };
  },
});
