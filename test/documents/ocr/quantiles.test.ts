import { describe, expect, it } from '@jest/globals';
import { quantiles } from '../../../documents/ocr/quantiles.ts';

describe('quantiles', () => {
  it('are those of the sorted values', () => {
    const values = Float32Array.from({ length: 10_007 }, (_, i) => Math.sin(i * i));
    const sorted = Float32Array.from(values).sort();
    const shares = [0, 0.05, 0.5, 0.95, 0.9999];
    expect(quantiles(values, shares)).toEqual(shares.map((share) => sorted[Math.floor(values.length * share)]));
  });

  it('know values on the very bounds, and many equal ones', () => {
    expect(quantiles(Float32Array.of(1, -1, 1, 1), [0, 0.25, 0.75])).toEqual([-1, 1, 1]);
  });

  it('of nothing are nothing', () => {
    expect(quantiles(new Float32Array(), [0.5])).toEqual([]);
  });
});
