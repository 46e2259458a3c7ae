import { ApiError } from '../../../domain/contracts/errors.ts';
import { PipelineRequest, PipelineResponse } from '../../../domain/contracts/vision-steps.ts';
import type { PipelineInput } from '../../../domain/contracts/vision-steps.ts';
import { detachedOperation } from '../../operation.ts';
import { checkCallbackUrl } from '../../vision/callback-url.ts';
import { checkCustomModel } from '../../vision/custom-models.ts';
import { DOCUMENT_ERRORS, documentRoute } from '../../vision/route.ts';
import { runRequest } from '../../vision/run-request.ts';

export const pipelineOperation = detachedOperation({
  name: 'pipeline',
  title: 'Run a document pipeline',
  description:
    'Carries out steps (split, crop, classify, extract) in order for each document found in the file, and answers a result for each. A webhook_url is told what was extracted, so it needs an extract step. Extraction costs 1 credit a page; the other steps are free.',
  area: 'Document AI',
  scopes: ['vision:pipeline'],
  input: PipelineRequest,
  output: PipelineResponse,
  effects: 'write',
  route: documentRoute('pipeline'),
  errors: [...DOCUMENT_ERRORS, 'NOT_FOUND'],
  joinable: true,
  run: async (context, { file_base64, file_url, async, webhook_url: webhookUrl, ...options }) => {
    checkCallback(webhookUrl, options);
    checkCallbackUrl(context.services, webhookUrl);
    for (const step of options.steps) {
      if (step.action === 'extract') await checkCustomModel(context, step.options?.document_type);
    }
    return runRequest(context, { operation: 'pipeline', options, file: { file_base64, file_url }, async, webhookUrl });
  },
});

/** Callbacks are about extractions (decisions §9): one that would never come is refused. */
function checkCallback(webhookUrl: string | undefined, { steps }: Pick<PipelineInput, 'steps'>): void {
  if (webhookUrl === undefined || steps.some(({ action }) => action === 'extract')) return;
  throw ApiError.invalid(
    'webhook_url',
    'is told what was extracted, and no step extracts: add an extract step, or leave it out and ask GET /results/{id}',
  );
}
