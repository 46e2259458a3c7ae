import { z } from 'zod';
import { ExtractionField, Validation } from './vision.ts';

/** A field of a result. */
export type ExtractedField = z.output<typeof ExtractionField>;

export const MAX_CORRECTIONS = 100;

export const CorrectResult = z.strictObject({
  id: z.uuid().describe('The request_id of the extraction'),
  corrections: z
    .record(z.string().min(1).max(100), z.unknown())
    .refine((corrections) => Object.keys(corrections).length > 0, 'must name at least one field')
    .refine(
      (corrections) => Object.keys(corrections).length <= MAX_CORRECTIONS,
      `may name ${String(MAX_CORRECTIONS)} fields at most`,
    )
    .describe(
      'What is right, by field; null where the document has no such field. line_items[0].total is a cell of the first line, line_items[0].gl_code its ledger account',
    )
    .meta({ example: { invoice_number: 'INV-2041', total: 1150, 'line_items[0].gl_code': '6200' } }),
  document: z
    .int()
    .min(0)
    .max(1_000)
    .default(0)
    .describe('Which document of the result, counted from 0, where split, crop or a pipeline found several'),
});
export type CorrectResultInput = z.output<typeof CorrectResult>;

export const CorrectionResponse = z
  .object({
    request_id: z.uuid(),
    fields: z.record(z.string(), ExtractionField).describe('All fields of the document, as corrected'),
    corrected_fields: z
      .array(z.string())
      .describe('What this call corrected')
      .meta({ example: ['invoice_number', 'total', 'line_items[0].gl_code'] }),
    validation: Validation.optional().describe(
      'Of the corrected document, where the call had asked for checks. Left out while it is being computed: GET /results/{id} has it soon after',
    ),
  })
  .meta({ id: 'CorrectionResponse' });
