import { ClassifyRequest, ClassifyResponse } from '../../../domain/contracts/vision-steps.ts';
import { detachedOperation } from '../../operation.ts';
import { DOCUMENT_ERRORS, documentRoute } from '../../vision/route.ts';
import { runRequest } from '../../vision/run-request.ts';

export const classifyOperation = detachedOperation({
  name: 'classify',
  title: 'Classify a document',
  description:
    'Says which of the 14 types a document has, how sure that is, and what else it could be. Reads no fields; costs 0.25 credits.',
  area: 'Document AI',
  scopes: ['vision:classify'],
  input: ClassifyRequest,
  output: ClassifyResponse,
  effects: 'write',
  route: documentRoute('classify'),
  errors: DOCUMENT_ERRORS,
  joinable: true,
  run: (context, { file_base64, file_url, async, ...options }) =>
    runRequest(context, { operation: 'classify', options, file: { file_base64, file_url }, async }),
});
