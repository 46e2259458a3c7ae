import { ExtractRequest, ExtractResponse } from '../../../domain/contracts/vision.ts';
import { detachedOperation } from '../../operation.ts';
import { runExtraction } from '../../vision/run-extraction.ts';

/** A 20 MiB file in base64 and the other fields. */
const MAX_BODY_BYTES = 30 * 1_048_576;

export const extractOperation = detachedOperation({
  name: 'extract',
  title: 'Extract a document',
  description:
    'Classifies a document, extracts its fields and line items and validates them, all on this machine. With webhook_url or async it answers 202 and works on in the background.',
  area: 'Document AI',
  scopes: ['vision:extract'],
  input: ExtractRequest,
  output: ExtractResponse,
  effects: 'write',
  route: {
    method: 'post',
    path: '/api/v1/vision/extract',
    auth: ['bearer_key', 'oauth'],
    shape: 'flat',
    otherStatuses: [202],
    maxBodyBytes: MAX_BODY_BYTES,
  },
  errors: ['UNPROCESSABLE_ENTITY', 'NOT_FOUND', 'BAD_GATEWAY', 'GATEWAY_TIMEOUT'],
  joinable: true,
  run: (context, input) => runExtraction(context, input),
});
