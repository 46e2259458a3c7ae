import { describe, expect, it } from '@jest/globals';
import { cropLine, LINE_HEIGHT, STEP_PIXELS, withMargin } from '../../../documents/ocr/crop.ts';
import type { RgbImage, TextRegion } from '../../../documents/ocr/engine.ts';

/** White but for a black column at `x`. */
function ruled(width: number, height: number, x: number): RgbImage {
  const data = new Uint8Array(width * height * 3).fill(255);
  for (let y = 0; y < height; y++) data.fill(0, (y * width + x) * 3, (y * width + x) * 3 + 3);
  return { data, width, height };
}

const region = (width: number, height: number): TextRegion => ({
  cx: width / 2,
  cy: height / 2,
  width,
  height,
  angle: 0,
  score: 1,
});

/** The column of the strip that holds the least light. */
function darkest({ planes, width }: { planes: Float32Array; width: number }): number {
  const row = planes.subarray(0, width);
  return row.indexOf(Math.min(...row));
}

describe('the strip of a line', () => {
  it('keeps the proportion of the line, to a pixel', () => {
    expect(cropLine(ruled(203, 24, 0), region(203, 24)).width).toBe(406);
    expect(cropLine(ruled(203, 24, 0), region(203, 24), { stretch: 1.5 }).width).toBe(609);
  });

  it('shows the page where the line lies, and upside down from its other end', () => {
    const page = ruled(200, 48, 150);
    expect(darkest(cropLine(page, region(200, 48)))).toBe(150);
    expect(darkest(cropLine(page, region(200, 48), { flipped: true }))).toBe(49);
  });

  it('is followed by at least the margin of mid grey, up to whole time steps', () => {
    const strip = cropLine(ruled(203, 48, 10), region(203, 48));
    const { planes, width } = withMargin(strip, 16);
    expect(width).toBe(224);
    expect(width % STEP_PIXELS).toBe(0);
    for (const row of [0, LINE_HEIGHT, 3 * LINE_HEIGHT - 1]) {
      expect(planes.slice(row * width, row * width + 203)).toEqual(strip.planes.slice(row * 203, row * 203 + 203));
      expect(new Set(planes.slice(row * width + 203, (row + 1) * width))).toEqual(new Set([0]));
    }
  });

  it('is taken as it is where no margin is asked for and its time steps are whole', () => {
    const strip = cropLine(ruled(200, 48, 10), region(200, 48));
    expect(withMargin(strip, 0)).toEqual(strip);
  });
});
