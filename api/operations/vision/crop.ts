import { CropRequest, CropResponse } from '../../../domain/contracts/vision-steps.ts';
import { detachedOperation } from '../../operation.ts';
import { DOCUMENT_ERRORS, documentRoute } from '../../vision/route.ts';
import { runRequest } from '../../vision/run-request.ts';

export const cropOperation = detachedOperation({
  name: 'crop',
  title: 'Crop the documents on a page',
  description:
    'Finds the receipts, cards or sheets on a photo or scan, cuts each out, turns it upright and answers it as a PNG with its place on the page. Free of charge.',
  area: 'Document AI',
  scopes: ['vision:crop'],
  input: CropRequest,
  output: CropResponse,
  effects: 'write',
  route: documentRoute('crop'),
  errors: DOCUMENT_ERRORS,
  joinable: true,
  run: (context, { file_base64, file_url, async, ...options }) =>
    runRequest(context, { operation: 'crop', options, file: { file_base64, file_url }, async }),
});
