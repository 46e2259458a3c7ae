import { PipelineRequest, PipelineResponse } from '../../../domain/contracts/vision-steps.ts';
import { detachedOperation } from '../../operation.ts';
import { checkCustomModel } from '../../vision/custom-models.ts';
import { DOCUMENT_ERRORS, documentRoute } from '../../vision/route.ts';
import { runRequest } from '../../vision/run-request.ts';

export const pipelineOperation = detachedOperation({
  name: 'pipeline',
  title: 'Run a document pipeline',
  description:
    'Carries out steps (split, crop, classify, extract) in order for each document found in the file, and answers a result for each. Extraction costs 1 credit a page; the other steps are free.',
  area: 'Document AI',
  scopes: ['vision:pipeline'],
  input: PipelineRequest,
  output: PipelineResponse,
  effects: 'write',
  route: documentRoute('pipeline'),
  errors: [...DOCUMENT_ERRORS, 'NOT_FOUND'],
  joinable: true,
  run: async (context, { file_base64, file_url, async, webhook_url: webhookUrl, ...options }) => {
    for (const step of options.steps) {
      if (step.action === 'extract') await checkCustomModel(context, step.options?.document_type);
    }
    return runRequest(context, { operation: 'pipeline', options, file: { file_base64, file_url }, async, webhookUrl });
  },
});
