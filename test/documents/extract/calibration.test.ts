import { describe, expect, test } from '@jest/globals';
import { fitCalibration, type Outcome, reliabilityOf } from '../../../bench/documents/platt.ts';
import { calibrate, calibrated } from '../../../documents/extract/calibration.ts';

const none = { samples: 0, slope: 1, intercept: 0, offsets: {} };

/** Fields of a name whose extractor says `certainty`; the first `right` of them are right. */
const outcomes = (name: string, certainty: number, right: number, of: number): Outcome[] =>
  Array.from({ length: of }, (_, index) => ({ name, certainty, isRight: index < right }));

describe('a confidence', () => {
  test('without parameters is what the extractor says, within 0.01 and 0.99', () => {
    for (const certainty of [0.1, 0.5, 0.93]) expect(calibrated('total', certainty, none)).toBeCloseTo(certainty, 2);
    expect(calibrated('total', 0, none)).toBe(0.01);
    expect(calibrated('total', 1, none)).toBe(0.99);
  });

  test('never changes the order of two fields of one name', () => {
    const values = [0.05, 0.2, 0.5, 0.7, 0.9, 0.97].map((certainty) =>
      calibrated('date', certainty, { ...none, slope: 0.7 }),
    );
    expect([...values].sort((a, b) => a - b)).toEqual(values);
  });

  test('of a field that the parameters do not know is the average one', () => {
    const calibration = { ...none, intercept: -1, offsets: { total: 2 } };
    const field = { value: 1, confidence: 0.8, bbox: null };
    const { total, date } = calibrate({ total: field, date: field }, calibration);
    expect(total?.confidence).toBeGreaterThan(0.8);
    expect(date?.confidence).toBeLessThan(0.8);
  });
});

describe('the fit', () => {
  const known = [
    ...outcomes('total', 0.9, 47, 50),
    ...outcomes('total', 0.6, 30, 50),
    ...outcomes('address', 0.9, 30, 50),
    ...outcomes('address', 0.6, 10, 50),
  ];

  test('makes a confidence the share that is right', () => {
    const calibration = fitCalibration(known);
    expect(calibrated('total', 0.9, calibration)).toBeGreaterThan(0.9);
    expect(calibrated('address', 0.9, calibration)).toBeLessThan(0.7);
    expect(reliabilityOf(known, calibration).ece).toBeLessThan(0.05);
    expect(reliabilityOf(known, none).ece).toBeGreaterThan(0.1);
  });

  test('of the same outcomes is the same', () => {
    expect(fitCalibration(known)).toEqual(fitCalibration(known));
  });

  test('says little of a field that was seen three times', () => {
    const { offsets } = fitCalibration([...known, ...outcomes('iban', 0.9, 0, 3)]);
    expect(offsets).not.toHaveProperty('iban');
  });
});
