import { readFileSync } from 'node:fs';
import { documentTypes, type DocumentType } from '../types.ts';

/** A multinomial logistic regression over features that are there or not. */
export interface TypeModel {
  version: number;
  /** Divides the scores, so that of the documents given 0.9 about 90% are right (Guo et al. 2017). */
  temperature: number;
  types: DocumentType[];
  /** A row per feature, a number per type. A feature without a row says nothing. */
  weights: Record<string, number[]>;
}

export interface TypeProbability {
  type: DocumentType;
  probability: number;
}

let loaded: TypeModel | undefined;

/** The parameters that `node documents/train/classifier.ts` wrote. */
export function trainedModel(): TypeModel {
  loaded ??= JSON.parse(readFileSync(new URL('./parameters.json', import.meta.url), 'utf8')) as TypeModel;
  return loaded;
}

/** Probability of each type, the likeliest first; they sum to 1. */
export function typeProbabilities(features: Set<string>, model: TypeModel = trainedModel()): TypeProbability[] {
  const scores = model.types.map(() => 0);
  for (const name of features) {
    const row = model.weights[name];
    if (row) for (let type = 0; type < scores.length; type++) scores[type]! += row[type]!;
  }
  const top = Math.max(...scores);
  const exponents = scores.map((score) => Math.exp((score - top) / model.temperature));
  const sum = exponents.reduce((total, value) => total + value, 0);
  const ranked = exponents.map((value, index) => ({ type: model.types[index]!, probability: value / sum }));
  // Equals keep the order of the types: nothing else tells them apart.
  return ranked.sort(
    (a, b) => b.probability - a.probability || documentTypes.indexOf(a.type) - documentTypes.indexOf(b.type),
  );
}
