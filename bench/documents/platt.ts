import { calibrated, logOdds, sigmoid, type Calibration } from '../../documents/extract/calibration.ts';

/** A field that was returned: how sure its extractor was, and whether it was right. */
export interface Outcome {
  name: string;
  certainty: number;
  isRight: boolean;
}

const STEPS = 4_000;
const RATE = 0.5;
/** Holds the offset of a field near zero until it has been seen about this often. */
const OFFSET_PRIOR = 8;
/** An offset of a field that was seen more rarely says more of its few documents than of the field. */
const MIN_SEEN = 8;

/** Fits slope, intercept and offsets by gradient descent on the mean log loss; the same outcomes give the same figures. */
export function fitCalibration(outcomes: readonly Outcome[]): Calibration {
  const counts = new Map<string, number>();
  for (const { name } of outcomes) counts.set(name, (counts.get(name) ?? 0) + 1);
  const offsets = new Map([...counts].filter(([, seen]) => seen >= MIN_SEEN).map(([name]) => [name, 0]));
  let [slope, intercept] = [1, 0];
  for (let step = 0; step < STEPS; step++) {
    let [slopeGradient, interceptGradient] = [0, 0];
    const offsetGradients = new Map<string, number>();
    for (const { name, certainty, isRight } of outcomes) {
      const x = logOdds(certainty);
      const error = sigmoid(slope * x + intercept + (offsets.get(name) ?? 0)) - (isRight ? 1 : 0);
      slopeGradient += error * x;
      interceptGradient += error;
      offsetGradients.set(name, (offsetGradients.get(name) ?? 0) + error);
    }
    slope -= (RATE * slopeGradient) / outcomes.length;
    intercept -= (RATE * interceptGradient) / outcomes.length;
    for (const [name, offset] of offsets) {
      const seen = (counts.get(name) ?? 0) + OFFSET_PRIOR;
      offsets.set(name, offset - (RATE * ((offsetGradients.get(name) ?? 0) + offset)) / seen);
    }
  }
  const round = (value: number): number => Math.round(value * 1000) / 1000;
  const names = [...offsets].sort(([a], [b]) => a.localeCompare(b));
  return {
    samples: outcomes.length,
    slope: round(slope),
    intercept: round(intercept),
    offsets: Object.fromEntries(names.map(([name, offset]) => [name, round(offset)])),
  };
}

export interface Reliability {
  bins: { from: number; count: number; said: number; right: number }[];
  /** Expected calibration error over ten bins of equal width. */
  ece: number;
}

export function reliabilityOf(outcomes: readonly Outcome[], calibration: Calibration): Reliability {
  const bins = Array.from({ length: 10 }, (_, index) => ({ from: index / 10, count: 0, said: 0, right: 0 }));
  for (const { name, certainty, isRight } of outcomes) {
    const said = calibrated(name, certainty, calibration);
    const bin = bins[Math.min(9, Math.floor(said * 10))];
    if (bin === undefined) continue;
    bin.count += 1;
    bin.said += said;
    bin.right += isRight ? 1 : 0;
  }
  const ece = bins.reduce((sum, bin) => sum + Math.abs(bin.said - bin.right), 0) / Math.max(1, outcomes.length);
  return { bins, ece };
}
