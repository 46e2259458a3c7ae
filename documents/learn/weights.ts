import { priorWeights, scoreOf, softmax } from './evidence.ts';

/** One document's choice: the evidence for each candidate, and which of them are right. */
export interface Choice {
  evidence: number[][];
  right: boolean[];
}

const STEPS = 60;
const RATE = 0.8;
/** How many samples the prior weights are worth. */
const PRIOR = 0.6;

/**
 * Weights under which the right candidates are the likeliest: a conditional logit (McFadden 1974) by gradient ascent,
 * held to the prior weights by a quadratic penalty, so that two samples change little and twenty decide.
 */
export function fitWeights(choices: Choice[]): number[] {
  const usable = choices.filter(({ right }) => right.some(Boolean) && !right.every(Boolean));
  const weights = [...priorWeights];
  if (usable.length === 0) return weights;
  for (let step = 0; step < STEPS; step++) {
    const gradient = weights.map((weight, index) => (PRIOR * (priorWeights[index]! - weight)) / 4);
    for (const choice of usable) addGradient(gradient, choice, weights);
    for (const [index, slope] of gradient.entries())
      weights[index] = Math.max(0, weights[index]! + (RATE * slope) / (usable.length + PRIOR));
  }
  return weights;
}

/** Evidence of the right candidates less what is expected under the present weights. */
function addGradient(gradient: number[], { evidence, right }: Choice, weights: number[]): void {
  const chances = softmax(evidence.map((one) => scoreOf(weights, one)));
  const chanceOfRight = chances.reduce((sum, chance, index) => sum + (right[index] ? chance : 0), 0) || 1e-9;
  for (const [index, one] of evidence.entries()) {
    const share = chances[index]! * ((right[index] ? 1 / chanceOfRight : 0) - 1);
    if (share === 0) continue;
    for (let i = 0; i < one.length; i++) gradient[i] = gradient[i]! + share * one[i]!;
  }
}
