import type { Extraction } from '../types.ts';

/** Leaves out fields that are less sure than the caller wants them, and says which those were and how sure. */
export function withThreshold(extraction: Extraction, threshold = 0): Extraction {
  const fields = Object.entries(extraction.fields);
  const doubtful = fields.filter(([, field]) => field.confidence < threshold);
  if (doubtful.length === 0) return extraction;
  return {
    ...extraction,
    fields: Object.fromEntries(fields.filter(([, field]) => field.confidence >= threshold)),
    left_out: Object.fromEntries(doubtful.map(([name, { confidence }]) => [name, confidence])),
  };
}
