import { z } from 'zod';
import {
  AsyncField,
  BoundingBox,
  CallbackFields,
  ChargeFields,
  ExtractionFields,
  ExtractResponse,
  FileFields,
  FoundDocument,
  LanguageHint,
  ONE_FILE,
  ProgressFields,
  TypeScore,
} from './vision.ts';

const oneFile = { ...FileFields, async: AsyncField };

export const ClassifyRequest = z.strictObject({ ...oneFile, language_hint: LanguageHint }).meta(ONE_FILE);
export type ClassifyInput = z.output<typeof ClassifyRequest>;

export const ClassifyResponse = z
  .object({
    ...ProgressFields,
    document_type: z.string().optional(),
    confidence: z.number().optional(),
    alternatives: z.array(TypeScore).optional().describe('The other types; with the first one they sum to 1'),
    ...ChargeFields,
  })
  .meta({ id: 'ClassifyResponse' });

export const SplitRequest = z.strictObject({ ...oneFile, language_hint: LanguageHint }).meta(ONE_FILE);
export type SplitInput = z.output<typeof SplitRequest>;

export const SplitDocument = z
  .object({
    index: z.int(),
    pages: z.array(z.int()).describe('Counted from 1'),
    type: z.string(),
    confidence: z.number(),
  })
  .meta({ id: 'SplitDocument' });

export const SplitResponse = z
  .object({ ...ProgressFields, documents: z.array(SplitDocument).optional(), ...ChargeFields })
  .meta({ id: 'SplitResponse' });

export const CropRequest = z.strictObject(oneFile).meta(ONE_FILE);
export type CropInput = z.output<typeof CropRequest>;

export const CropRegion = z
  .object({
    index: z.int(),
    bbox: BoundingBox.describe('In pixels of the page that was sent'),
    rotation: z.number().describe('Degrees by which the image was turned clockwise'),
    confidence: z.number(),
  })
  .meta({ id: 'CropRegion' });

export const CropResponse = z
  .object({
    ...ProgressFields,
    images: z.array(z.string()).optional().describe('PNG in base64, one for each region'),
    regions: z.array(CropRegion).optional(),
    ...ChargeFields,
  })
  .meta({ id: 'CropResponse' });

export const PIPELINE_ACTIONS = ['split', 'crop', 'classify', 'extract'] as const;
export type PipelineAction = (typeof PIPELINE_ACTIONS)[number];

const NoOptions = z.strictObject({}).optional().describe('None yet');

export const PipelineStep = z
  .discriminatedUnion('action', [
    z.strictObject({ action: z.literal('split'), options: NoOptions }),
    z.strictObject({ action: z.literal('crop'), options: NoOptions }),
    z.strictObject({ action: z.literal('classify'), options: NoOptions }),
    z.strictObject({ action: z.literal('extract'), options: z.strictObject(ExtractionFields).optional() }),
  ])
  .meta({ id: 'PipelineStep' });
export type PipelineStepInput = z.output<typeof PipelineStep>;

/** What may not come before an action, and why. */
const REFUSED_BEFORE: Readonly<Partial<Record<PipelineAction, Partial<Record<PipelineAction, string>>>>> = {
  split: {
    crop: 'a paper that was cut out is one document and has no pages to split',
    classify: 'the file was classified as one document; put split before classify',
  },
  crop: { classify: 'the page was classified as one document; put crop before classify' },
};

/**
 * Why a step can't stand where it does; undefined where it can. Each action at most once; documents are found (split, then
 * crop) before something is said of them (classify, then extract); nothing follows extract. The engine refuses the same.
 */
export function orderProblem(before: readonly PipelineAction[], action: PipelineAction): string | undefined {
  if (before.includes(action)) return `step ${String(before.indexOf(action) + 1)} does that already`;
  if (before.includes('extract')) return 'nothing can follow extract';
  const refused = REFUSED_BEFORE[action] ?? {};
  return PIPELINE_ACTIONS.filter((earlier) => before.includes(earlier))
    .map((earlier) => refused[earlier])
    .find(Boolean);
}

export const PipelineRequest = z
  .strictObject({
    ...FileFields,
    steps: z
      .array(PipelineStep)
      .min(1)
      .max(PIPELINE_ACTIONS.length)
      .superRefine((steps, context) => {
        const actions = steps.map((step) => step.action);
        for (const [index, action] of actions.entries()) {
          const reason = orderProblem(actions.slice(0, index), action);
          if (reason === undefined) continue;
          const message = `step ${String(index + 1)} (${action}): ${reason}`;
          context.addIssue({ code: 'custom', path: [index, 'action'], message });
          return;
        }
      })
      .describe('Carried out in order for each document found')
      .meta({ example: [{ action: 'split' }, { action: 'extract' }] }),
    language_hint: LanguageHint,
    ...CallbackFields,
    webhook_url: CallbackFields.webhook_url.describe(
      'Receives what was extracted; makes the call asynchronous. Needs an extract step: without one it is a 400',
    ),
  })
  .meta(ONE_FILE);
export type PipelineInput = z.output<typeof PipelineRequest>;

export const PipelineResponse = z
  .object({ ...ProgressFields, results: z.array(FoundDocument).optional(), ...ChargeFields })
  .meta({ id: 'PipelineResponse' });

/** What any call can have answered: the fields of its own answer. */
export const VisionResult = z
  .object({
    ...ExtractResponse.shape,
    confidence: z.number().optional().describe('Of a classification'),
    documents: z.array(z.union([FoundDocument, SplitDocument])).optional(),
    images: CropResponse.shape.images,
    regions: CropResponse.shape.regions,
    results: PipelineResponse.shape.results,
  })
  .meta({ id: 'VisionResult' });
