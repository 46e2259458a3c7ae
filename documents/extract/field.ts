import { meanConfidence, pageBox } from '../layout/lines.ts';
import type { ExtractionField, Word } from '../types.ts';

/** A value with the words that it was read from. `certainty` is the extractor's, the reader's is taken from the words. */
export function fieldOf(value: unknown, words: Word[], page: number, certainty: number): ExtractionField {
  const reading = words.length === 0 ? 1 : meanConfidence(words);
  return { value, confidence: roundConfidence(certainty * (0.4 + 0.6 * reading)), bbox: pageBox(words, page) };
}

export const roundConfidence = (value: number): number =>
  Math.round(Math.min(0.99, Math.max(0.01, value)) * 1000) / 1000;
