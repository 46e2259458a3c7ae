import { SplitRequest, SplitResponse } from '../../../domain/contracts/vision-steps.ts';
import { detachedOperation } from '../../operation.ts';
import { DOCUMENT_ERRORS, documentRoute } from '../../vision/route.ts';
import { runRequest } from '../../vision/run-request.ts';

export const splitOperation = detachedOperation({
  name: 'split',
  title: 'Split a file into its documents',
  description:
    'Finds where one document of a file ends and the next begins, and the type of each. Costs 0.5 credits for each boundary found.',
  area: 'Document AI',
  scopes: ['vision:split'],
  input: SplitRequest,
  output: SplitResponse,
  effects: 'write',
  route: documentRoute('split'),
  errors: DOCUMENT_ERRORS,
  joinable: true,
  run: (context, { file_base64, file_url, async, ...options }) =>
    runRequest(context, { operation: 'split', options, file: { file_base64, file_url }, async }),
});
