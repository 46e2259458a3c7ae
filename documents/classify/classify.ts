import type { Classification, PageText } from '../types.ts';
import { documentFeatures } from './features.ts';
import { typeProbabilities } from './model.ts';

/**
 * The type of a document from the words on its pages, with the probability that it is right; the alternatives are all
 * other types, likeliest first, and sum to 1 with the winner.
 */
export function classifyPages(pages: PageText[]): Classification {
  const [best, ...rest] = typeProbabilities(documentFeatures(pages));
  const alternatives = rest.map(({ type, probability }) => ({ type, confidence: thousandths(probability) }));
  const others = alternatives.reduce((sum, { confidence }) => sum + confidence, 0);
  return { document_type: best!.type, confidence: thousandths(1 - others), alternatives };
}

const thousandths = (value: number): number => Math.round(value * 1000) / 1000;
