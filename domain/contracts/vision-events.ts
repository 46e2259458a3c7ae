import { z } from 'zod';
import { Moment } from './common.ts';
import { ExtractResponse } from './vision.ts';

/** An extraction's result as events and callbacks carry it (spec, "Document AI callback"). */
export const ExtractionCompletedEvent = ExtractResponse.omit({ status: true, pages_done: true, pages_total: true })
  .extend({ event: z.literal('vision.extract.completed'), timestamp: Moment })
  .meta({ id: 'ExtractionCompleted' });

export const ExtractionFailedEvent = z
  .object({
    event: z.literal('vision.extract.failed'),
    request_id: z.uuid(),
    error: z.object({
      code: z.string().meta({ example: 'ENCRYPTED' }),
      message: z.string().meta({ example: 'The file is protected by a password.' }),
    }),
    credits_used: z.number().meta({ example: 0 }),
    timestamp: Moment,
  })
  .meta({ id: 'ExtractionFailed' });

/** How the training of a custom model ended. */
export const ModelTrainedEvent = z
  .object({
    event: z.enum(['vision.model.ready', 'vision.model.failed']),
    model_id: z.string().meta({ example: 'mdl_8f3c2a' }),
    training_id: z.uuid(),
    status: z.enum(['ready', 'failed']),
    samples: z.int().describe('Samples it was trained on').meta({ example: 12 }),
    accuracy: z
      .number()
      .nullable()
      .describe('Measured on the samples, each left out once; null where the training failed')
      .meta({ example: 0.94 }),
    error: z.object({ code: z.string(), message: z.string() }).nullable().describe('Why the training failed'),
    timestamp: Moment,
  })
  .meta({ id: 'ModelTrained' });
