import { describe, expect, it } from '@jest/globals';
import type { LineReader, OcrLine, Print, RgbImage, TextRegion } from '../../../documents/ocr/engine.ts';
import { readUpright } from '../../../documents/orientation/orient.ts';

/** The page's first pixel is marked: where it lies tells how the page lies. */
function markedPage(width: number, height: number, at: [x: number, y: number]): RgbImage {
  const data = new Uint8Array(width * height * 3).fill(255);
  data.fill(0, (at[1] * width + at[0]) * 3, (at[1] * width + at[0]) * 3 + 3);
  return { data, width, height };
}

const isDark = ({ data, width }: RgbImage, x: number, y: number): boolean => data[(y * width + x) * 3] === 0;

interface Asked {
  print: Print;
  flipped: boolean;
  regions: number;
}

/** A reader of a page whose mark is at the top left when it is upright. */
function fakeReader(confidence: { upright: number; turned: number; clean?: number }): LineReader & { asked: Asked[] } {
  const asked: Asked[] = [];
  return {
    name: 'fake',
    asked,
    detect: ({ width, height }) => {
      const lying = width > height;
      const lines = Array.from({ length: 12 }, (_, i): TextRegion => {
        const across = { width: 30 + i, height: 4 };
        const size = lying ? { width: across.height, height: across.width } : across;
        const [cx, cy] = lying ? [10 + 5 * i, 20] : [20, 10 + 5 * i];
        return { cx, cy, ...size, angle: 0, score: 0.9 };
      });
      return Promise.resolve(lines);
    },
    recognise: (image, regions, { flipped = false, print = 'rough' } = {}) => {
      asked.push({ print, flipped, regions: regions.length });
      const upright = isDark(image, 0, 0) !== flipped;
      const { upright: sure, turned, clean = sure } = confidence;
      const level = upright ? (print === 'clean' ? clean : sure) : turned;
      return Promise.resolve(regions.map((region): OcrLine => ({ text: print, confidence: level, region, words: [] })));
    },
    read: () => Promise.reject(new Error('a page is not read as a whole')),
    close: () => Promise.resolve(),
  };
}

describe('a page', () => {
  it.each([
    ['upright', markedPage(40, 80, [0, 0]), 0],
    ['upside down', markedPage(40, 80, [39, 79]), 180],
    ['turned to the left', markedPage(80, 40, [0, 39]), 90],
    ['turned to the right', markedPage(80, 40, [79, 0]), 270],
  ])('is read %s', async (_, page, rotation) => {
    const reading = await readUpright(fakeReader({ upright: 0.86, turned: 0.5 }), page);
    expect(reading.rotation).toBe(rotation);
    expect([reading.image.width, reading.image.height]).toEqual([40, 80]);
    expect(isDark(reading.image, 0, 0)).toBe(true);
    expect(reading.lines).toHaveLength(12);
    expect(new Set(reading.lines.map((line) => line.region.cy)).size).toBe(12);
  });

  const upright = markedPage(40, 80, [0, 0]);
  const linesRead = (reader: { asked: Asked[] }): number => reader.asked.reduce((sum, { regions }) => sum + regions, 0);

  it('of clean print is read by the recogniser of clean print, in the order of its lines, and not probed upside down', async () => {
    const reader = fakeReader({ upright: 0.97, turned: 0.5, clean: 0.99 });
    const { lines } = await readUpright(reader, upright);
    expect(lines.map((line) => line.text)).toEqual(Array(12).fill('clean'));
    expect(lines.map((line) => line.region.cy)).toEqual(Array.from({ length: 12 }, (_, i) => 10 + 5 * i));
    expect(reader.asked.some(({ flipped }) => flipped)).toBe(false);
    // The 8 longest as rough print, and each line once as clean print.
    expect(linesRead(reader)).toBe(8 + 12);
  });

  it('of which the recogniser of clean print is not quite sure stays rough print', async () => {
    const reader = fakeReader({ upright: 0.97, turned: 0.5, clean: 0.97 });
    const { lines } = await readUpright(reader, upright);
    expect(lines.map((line) => line.text)).toEqual(Array(12).fill('rough'));
  });

  it('is asked of the recogniser of clean print only until it is plain that the print is rough', async () => {
    const reader = fakeReader({ upright: 0.97, turned: 0.5, clean: 0.9 });
    await readUpright(reader, upright);
    // Eight lines may lack 8 × 0.015 of certainty: the second line takes away more than that.
    expect(reader.asked.filter(({ print }) => print === 'clean').map(({ regions }) => regions)).toEqual([1, 1]);
  });

  it('of rough print has no line read twice', async () => {
    const reader = fakeReader({ upright: 0.9, turned: 0.5 });
    await readUpright(reader, upright);
    expect(linesRead(reader)).toBe(12);
  });

  it('is read as Chinese where the caller says so', async () => {
    const reader = fakeReader({ upright: 0.97, turned: 0.5 });
    const { lines } = await readUpright(reader, upright, 'zh');
    expect(lines.map((line) => line.text)).toEqual(Array(12).fill('chinese'));
  });

  it('without text is upright and empty', async () => {
    const reader: LineReader = { ...fakeReader({ upright: 0, turned: 0 }), detect: () => Promise.resolve([]) };
    const reading = await readUpright(reader, markedPage(40, 80, [0, 0]));
    expect(reading).toMatchObject({ rotation: 0, lines: [] });
  });
});
