/** One decoded character and the time step (an eighth of the strip's pixels) at which it peaked. */
export interface CtcCharacter {
  character: string;
  probability: number;
  step: number;
}

export interface CtcOptions {
  alphabet: string[];
  /** Classes that may be chosen; undefined means all. */
  allowed?: Uint32Array;
}

/**
 * Greedy CTC decoding of `steps` rows of `classes` probabilities: the best class of each step, repeats merged, blanks
 * dropped. A character's probability is its peak.
 */
export function decodeCtc(
  probabilities: Float32Array,
  offset: number,
  steps: number,
  classes: number,
  options: CtcOptions,
): CtcCharacter[] {
  const characters: CtcCharacter[] = [];
  let previous = 0;
  for (let step = 0; step < steps; step++) {
    const best = bestClass(probabilities, offset + step * classes, classes, options.allowed);
    const probability = probabilities[offset + step * classes + best]!;
    if (best !== 0 && best !== previous) {
      characters.push({ character: options.alphabet[best] ?? '', probability, step });
    } else if (best !== 0) {
      const last = characters.at(-1)!;
      if (probability > last.probability) {
        last.probability = probability;
        last.step = step;
      }
    }
    previous = best;
  }
  return characters;
}

function bestClass(values: Float32Array, base: number, classes: number, allowed: Uint32Array | undefined): number {
  let best = 0;
  let top = values[base]!;
  // Nothing can beat a class that has more than half of the probability.
  if (top > 0.5) return 0;
  if (allowed) {
    for (const candidate of allowed) {
      const value = values[base + candidate]!;
      if (value > top) {
        top = value;
        best = candidate;
      }
    }
    return best;
  }
  for (let candidate = 1; candidate < classes; candidate++) {
    const value = values[base + candidate]!;
    if (value > top) {
      top = value;
      best = candidate;
      if (top > 0.5) break;
    }
  }
  return best;
}
