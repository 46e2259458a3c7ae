import type { ExtractionField } from '../types.ts';
import { roundConfidence } from './field.ts';

/**
 * How often a field is right to the letter, over how sure its extractor is, on the dev documents (`npm run bench vision`
 * prints both). A field that is missing here is as right as it says.
 */
const FACTORS: Record<string, number> = {
  merchant_name: 0.93,
  merchant_address: 0.75,
  vendor_name: 0.93,
  vendor_address: 0.85,
};

export function calibrate(fields: Record<string, ExtractionField>): Record<string, ExtractionField> {
  return Object.fromEntries(
    Object.entries(fields).map(([name, field]) => [
      name,
      { ...field, confidence: roundConfidence(field.confidence * (FACTORS[name] ?? 1)) },
    ]),
  );
}
