import { describe, expect, test } from '@jest/globals';
import {
  calibrationError,
  type Example,
  fitRegression,
  fitTemperature,
  probabilities,
  scoresOf,
} from '../../../documents/train/regression.ts';

const options = { features: 3, classes: 2, ridge: 0.1, steps: 200 };
/** Feature 0 is always there, 1 goes with the first class, 2 with the second. */
const examples: Example[] = [
  ...Array.from({ length: 20 }, () => ({ features: [0, 1], label: 0, weight: 1 })),
  ...Array.from({ length: 20 }, () => ({ features: [0, 2], label: 1, weight: 1 })),
];

describe('logistic regression', () => {
  test('learns which feature goes with which class', () => {
    const weights = fitRegression(examples, options);
    expect(probabilities(scoresOf([0, 1], weights, 2))[0]).toBeGreaterThan(0.95);
    expect(probabilities(scoresOf([0, 2], weights, 2))[1]).toBeGreaterThan(0.95);
  });

  test('where evidence is mixed the probability is the share', () => {
    const mixed = Array.from({ length: 40 }, (_, index) => ({ features: [0], label: index < 30 ? 0 : 1, weight: 1 }));
    const weights = fitRegression(mixed, { ...options, ridge: 0.01 });
    expect(probabilities(scoresOf([0], weights, 2))[0]).toBeCloseTo(0.75, 1);
  });

  test('the same examples give the same weights, bit for bit', () => {
    expect(fitRegression(examples, options)).toEqual(fitRegression(examples, options));
  });

  test('the penalty keeps weights small', () => {
    const size = (ridge: number): number =>
      fitRegression(examples, { ...options, ridge }).reduce((sum, weight) => sum + Math.abs(weight), 0);
    expect(size(20)).toBeLessThan(size(0.1));
  });
});

describe('calibration', () => {
  test('scores that claim too much are cooled, modest ones sharpened', () => {
    const held = (right: number): { scores: number[]; accepted: number[] }[] =>
      Array.from({ length: 100 }, (_, index) => ({ scores: [2, 0], accepted: [index < right ? 0 : 1] }));
    expect(fitTemperature(held(70))).toBeGreaterThan(1.5);
    expect(fitTemperature(held(99))).toBeLessThan(0.6);
  });

  test('the error is the distance between claim and truth', () => {
    const claims = (right: number): { confidence: number; right: boolean }[] =>
      Array.from({ length: 100 }, (_, index) => ({ confidence: 0.85, right: index < right }));
    expect(calibrationError(claims(85))).toBeCloseTo(0, 6);
    expect(calibrationError(claims(45))).toBeCloseTo(0.4, 6);
  });
});
