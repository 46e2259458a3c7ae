import { readFileSync } from 'node:fs';
import type { ExtractionField } from '../types.ts';
import { roundConfidence } from './field.ts';

/** How a field's confidence follows from how sure its extractor is, on the scale of log odds. */
export interface Calibration {
  /** Fields that the fit was made on. */
  samples: number;
  slope: number;
  intercept: number;
  /** Added for a field that is right more or less often than its extractor says. A field that is missing here is average. */
  offsets: Record<string, number>;
}

const EDGE = 0.005;

let loaded: Calibration | undefined;

/** The parameters in the repository. */
function parameters(): Calibration {
  loaded ??= JSON.parse(readFileSync(new URL('./calibration.json', import.meta.url), 'utf8')) as Calibration;
  return loaded;
}

/**
 * Confidences that are right as often as they say (Platt scaling, with an offset for each field). The parameters are fitted
 * by `node bench/documents/calibrate.ts` on documents whose truth is known, and printed with their reliability.
 */
export function calibrate(
  fields: Record<string, ExtractionField>,
  calibration: Calibration = parameters(),
): Record<string, ExtractionField> {
  return Object.fromEntries(
    Object.entries(fields).map(([name, field]) => [
      name,
      { ...field, confidence: calibrated(name, field.confidence, calibration) },
    ]),
  );
}

/** The chance that a field of this name is right whose extractor gives it `certainty`. */
export function calibrated(name: string, certainty: number, calibration: Calibration): number {
  const { slope, intercept, offsets } = calibration;
  return roundConfidence(sigmoid(slope * logOdds(certainty) + intercept + (offsets[name] ?? 0)));
}

export function logOdds(probability: number): number {
  const inside = Math.min(1 - EDGE, Math.max(EDGE, probability));
  return Math.log(inside / (1 - inside));
}

export const sigmoid = (x: number): number => 1 / (1 + Math.exp(-x));
