/** One example of a regression: the numbers of the features that it has, its class, and how much it counts. */
export interface Example {
  features: number[];
  label: number;
  weight: number;
}

export interface RegressionOptions {
  features: number;
  classes: number;
  /** Pull of every weight towards 0 (half the square is added to the loss). */
  ridge: number;
  steps: number;
}

/** Step of Adam (Kingma and Ba 2015), falling to a tenth over the run. */
const RATE = 0.08;
const [MEAN_DECAY, SQUARE_DECAY] = [0.9, 0.999];

/**
 * Multinomial logistic regression with a ridge penalty over features that are there or not, by Adam over all examples at
 * once. No chance is in it, so the same examples give the same weights. Returns classes × features, row by row of a feature.
 */
export function fitRegression(examples: Example[], options: RegressionOptions): Float64Array {
  const { features, classes, ridge, steps } = options;
  const weights = new Float64Array(features * classes);
  const mean = new Float64Array(weights.length);
  const square = new Float64Array(weights.length);
  for (let step = 1; step <= steps; step++) {
    const slope = gradient(examples, weights, options);
    const rate = RATE * (1 - (0.9 * step) / steps);
    for (let at = 0; at < weights.length; at++) {
      const value = slope[at]! + ridge * weights[at]!;
      mean[at] = MEAN_DECAY * mean[at]! + (1 - MEAN_DECAY) * value;
      square[at] = SQUARE_DECAY * square[at]! + (1 - SQUARE_DECAY) * value * value;
      const first = mean[at]! / (1 - MEAN_DECAY ** step);
      const second = square[at]! / (1 - SQUARE_DECAY ** step);
      weights[at]! -= (rate * first) / (Math.sqrt(second) + 1e-8);
    }
  }
  return weights;
}

function gradient(examples: Example[], weights: Float64Array, { classes }: RegressionOptions): Float64Array {
  const slope = new Float64Array(weights.length);
  for (const { features, label, weight } of examples) {
    const errors = probabilities(scoresOf(features, weights, classes));
    errors[label]! -= 1;
    for (const feature of features) {
      const base = feature * classes;
      for (let type = 0; type < classes; type++) slope[base + type]! += weight * errors[type]!;
    }
  }
  return slope;
}

export function scoresOf(features: number[], weights: Float64Array, classes: number): number[] {
  const scores = new Array<number>(classes).fill(0);
  for (const feature of features) {
    const base = feature * classes;
    for (let type = 0; type < classes; type++) scores[type]! += weights[base + type]!;
  }
  return scores;
}

export function probabilities(scores: number[], temperature = 1): number[] {
  const top = Math.max(...scores);
  const exponents = scores.map((score) => Math.exp((score - top) / temperature));
  const sum = exponents.reduce((total, value) => total + value, 0);
  return exponents.map((value) => value / sum);
}

/** The temperature at which held-out scores have the highest likelihood. */
export function fitTemperature(held: { scores: number[]; accepted: number[]; weight?: number }[]): number {
  let best = { temperature: 1, loss: Infinity };
  for (let temperature = 0.4; temperature <= 3; temperature += 0.05) {
    const loss = held.reduce((sum, { scores, accepted, weight = 1 }) => {
      const spread = probabilities(scores, temperature);
      return (
        sum -
        weight *
          Math.log(
            Math.max(
              1e-9,
              accepted.reduce((total, type) => total + spread[type]!, 0),
            ),
          )
      );
    }, 0);
    if (loss < best.loss) best = { temperature: Math.round(temperature * 100) / 100, loss };
  }
  return best.temperature;
}

/** Mean distance between what was claimed and what came true, over ten bins of confidence (Naeini et al. 2015). */
export function calibrationError(claims: { confidence: number; right: boolean }[]): number {
  let error = 0;
  for (let bin = 0; bin < 10; bin++) {
    const held = claims.filter(({ confidence }) => Math.min(9, Math.floor(confidence * 10)) === bin);
    if (held.length === 0) continue;
    const claimed = held.reduce((sum, { confidence }) => sum + confidence, 0) / held.length;
    const true_ = held.filter(({ right }) => right).length / held.length;
    error += (held.length / claims.length) * Math.abs(claimed - true_);
  }
  return error;
}
