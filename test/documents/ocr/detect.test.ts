import { describe, expect, it } from '@jest/globals';
import { regionsOf, usualHeight } from '../../../documents/ocr/detect.ts';
import type { TextRegion } from '../../../documents/ocr/engine.ts';

const region = (width: number, height: number): TextRegion => ({ cx: 0, cy: 0, width, height, angle: 0, score: 1 });

describe('the usual height of the print', () => {
  it('is that of most of the text, not of a few large or many short lines', () => {
    const lines = [region(200, 60), ...Array.from({ length: 10 }, () => region(500, 18)), region(30, 9), region(30, 9)];
    expect(usualHeight(lines)).toBe(18);
  });

  it('is measured across the line on a page that lies on its side', () => {
    expect(usualHeight([region(18, 500), region(18, 400)])).toBe(18);
  });

  it('is 0 on an empty page', () => {
    expect(usualHeight([])).toBe(0);
  });
});

describe('the regions of a probability map', () => {
  const width = 100;
  const height = 40;
  const blank = (): Float32Array => new Float32Array(width * height);
  const fill = (map: Float32Array, x0: number, y0: number, x1: number, y1: number, value: number): void => {
    for (let y = y0; y < y1; y++) map.fill(value, y * width + x0, y * width + x1);
  };

  it('are grown around the kernels of the text, and keep their centre', () => {
    const map = blank();
    fill(map, 20, 10, 80, 16, 0.9);
    const [found, ...others] = regionsOf(map, width, height);
    expect(others).toEqual([]);
    expect([found!.cx, found!.cy]).toEqual([50, 13]);
    // 60 by 6 grown by area × 1.5 / perimeter on each side.
    expect(found!.height).toBeCloseTo(6 + (2 * (360 * 1.5)) / 132, 1);
    expect(found!.width).toBeCloseTo(60 + (2 * (360 * 1.5)) / 132, 1);
  });

  it('leave out specks and what the network itself doubts', () => {
    const map = blank();
    fill(map, 5, 5, 7, 7, 0.9);
    fill(map, 20, 20, 80, 26, 0.4);
    expect(regionsOf(map, width, height)).toEqual([]);
  });
});
