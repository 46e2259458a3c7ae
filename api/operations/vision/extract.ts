import { ExtractRequest, ExtractResponse } from '../../../domain/contracts/vision.ts';
import { detachedOperation } from '../../operation.ts';
import { checkCallbackUrl } from '../../vision/callback-url.ts';
import { checkCustomModel } from '../../vision/custom-models.ts';
import { DOCUMENT_ERRORS, documentRoute } from '../../vision/route.ts';
import { runRequest } from '../../vision/run-request.ts';

export const extractOperation = detachedOperation({
  name: 'extract',
  title: 'Extract a document',
  description:
    'Classifies a document, extracts its fields and line items and validates them, all on this machine. With split or crop it does so for each document in the file. With webhook_url or async it answers 202 and works on in the background.',
  area: 'Document AI',
  scopes: ['vision:extract'],
  input: ExtractRequest,
  output: ExtractResponse,
  effects: 'write',
  route: documentRoute('extract'),
  errors: [...DOCUMENT_ERRORS, 'NOT_FOUND'],
  joinable: true,
  run: async (context, { file_base64, file_url, webhook_url: webhookUrl, async, ...options }) => {
    checkCallbackUrl(context.services, webhookUrl);
    await checkCustomModel(context, options.document_type);
    return runRequest(context, { operation: 'extract', options, file: { file_base64, file_url }, async, webhookUrl });
  },
});
