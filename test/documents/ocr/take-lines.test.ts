import { describe, expect, it } from '@jest/globals';
import type { OcrLine, TextRegion } from '../../../documents/ocr/engine.ts';
import { takeLines } from '../../../documents/ocr/take-lines.ts';

const region = (cx: number): TextRegion => ({ cx, cy: 0, width: 10, height: 5, angle: 0, score: 1 });
const lineOf = (of: TextRegion): OcrLine => ({ text: String(of.cx), confidence: 1, region: of, words: [] });
const counter = (): Int32Array => new Int32Array(new SharedArrayBuffer(4));

describe('the lines of a page', () => {
  it('are each taken by one of those who read, the quick one taking more', async () => {
    const regions = Array.from({ length: 20 }, (_, i) => region(i));
    const next = counter();
    const slow = takeLines(next, regions, async (one) => {
      for (let turn = 0; turn < 10; turn++) await Promise.resolve();
      return lineOf(one);
    });
    const quick = takeLines(next, regions, (one) => Promise.resolve(lineOf(one)));
    const [a, b] = await Promise.all([slow, quick]);
    expect(b.length).toBeGreaterThan(a.length);
    const all = [...a, ...b].sort(([x], [y]) => x - y);
    expect(all.map(([index, line]) => [index, line?.text])).toEqual(regions.map((_, i) => [i, String(i)]));
  });

  it('without text are taken too, so that nobody reads them again', async () => {
    expect(await takeLines(counter(), [region(1)], () => Promise.resolve(undefined))).toEqual([[0, undefined]]);
  });
});
