import { describe, expect, test } from '@jest/globals';
import { cutOut } from '../../../documents/crop/cut.ts';
import { findPapers, type Look } from '../../../documents/crop/papers.ts';
import { edgeMap } from '../../../documents/crop/work-image.ts';
import type { RgbImage, TextRegion } from '../../../documents/ocr/engine.ts';
import { axisAlignedBox, type RotatedRect } from '../../../documents/ocr/geometry.ts';
import type { Box } from '../../../documents/types.ts';

const LINE = 14;
const noLook: Look = () => Promise.resolve([]);

interface Sheet extends RotatedRect {
  grey: number;
}

const sheet = (box: Box, grey = 250, degrees = 0): Sheet => ({
  cx: box.x + box.width / 2,
  cy: box.y + box.height / 2,
  width: box.width,
  height: box.height,
  angle: (degrees * Math.PI) / 180,
  grey,
});

/** Printed lines of a paper: dark strips, and the regions that a text detector would give for them. */
function linesOf({ cx, cy, width, height, angle }: RotatedRect): TextRegion[] {
  const count = Math.floor((height - 40) / (2 * LINE));
  return Array.from({ length: count }, (_, row) => {
    const v = -height / 2 + 30 + row * 2 * LINE;
    return {
      cx: cx - v * Math.sin(angle),
      cy: cy + v * Math.cos(angle),
      width: width * (0.5 + 0.3 * ((row * 7) % 3) * 0.5),
      height: LINE,
      angle,
      score: 0.9,
    };
  });
}

function inside(rect: RotatedRect, x: number, y: number): boolean {
  const u = (x - rect.cx) * Math.cos(rect.angle) + (y - rect.cy) * Math.sin(rect.angle);
  const v = (y - rect.cy) * Math.cos(rect.angle) - (x - rect.cx) * Math.sin(rect.angle);
  return Math.abs(u) <= rect.width / 2 && Math.abs(v) <= rect.height / 2;
}

function fill(rect: RotatedRect, paint: (x: number, y: number) => void): void {
  const box = axisAlignedBox(rect);
  for (let y = Math.floor(box.y); y <= box.y + box.height; y++) {
    for (let x = Math.floor(box.x); x <= box.x + box.width; x++) if (inside(rect, x, y)) paint(x, y);
  }
}

function photo(width: number, height: number, ground: (x: number, y: number) => number, sheets: Sheet[]) {
  const lines = sheets.flatMap(linesOf);
  const image: RgbImage = { data: new Uint8Array(width * height * 3), width, height };
  const paint = (x: number, y: number, value: number): void => {
    if (x >= 0 && y >= 0 && x < width && y < height)
      image.data.fill(value, (y * width + x) * 3, (y * width + x) * 3 + 3);
  };
  for (let y = 0; y < height; y++) for (let x = 0; x < width; x++) paint(x, y, ground(x, y));
  for (const one of sheets) fill(one, (x, y) => paint(x, y, one.grey));
  // Letters of three dark and three light pixels.
  for (const line of lines)
    fill({ ...line, height: 6 }, (x, y) => {
      if (x % 6 < 3) paint(x, y, 40);
    });
  return { image, lines };
}

const boxesIn = async (image: RgbImage, lines: TextRegion[], look = noLook): Promise<Box[]> =>
  (await findPapers(await edgeMap(image), lines, look)).map(({ rect }) => axisAlignedBox(rect));

function expectClose(found: Box[], truth: RotatedRect[]): void {
  expect(found).toHaveLength(truth.length);
  for (const [index, rect] of truth.entries()) {
    const box = axisAlignedBox(rect);
    for (const side of ['x', 'y', 'width', 'height'] as const) {
      expect(Math.abs(found[index]![side] - box[side])).toBeLessThanOrEqual(8);
    }
  }
}

describe('papers on a photo', () => {
  test('turned papers on a dark table are found with their edges, row by row', async () => {
    const sheets = [
      sheet({ x: 60, y: 60, width: 180, height: 300 }, 250, 7),
      sheet({ x: 420, y: 50, width: 200, height: 280 }, 240, -5),
      sheet({ x: 150, y: 430, width: 220, height: 300 }, 235, 2),
    ];
    const { image, lines } = photo(700, 800, () => 60, sheets);
    expectClose(await boxesIn(image, lines), sheets);
  });

  test('white paper on a nearly white table, in light that fades', async () => {
    const sheets = [
      sheet({ x: 60, y: 60, width: 200, height: 420 }),
      sheet({ x: 380, y: 80, width: 220, height: 400 }),
    ];
    const { image, lines } = photo(680, 560, (x) => 236 - Math.round(x / 100), sheets);
    expectClose(await boxesIn(image, lines), sheets);
  });

  test('a striped ground is no edge', async () => {
    const sheets = [
      sheet({ x: 80, y: 70, width: 200, height: 400 }),
      sheet({ x: 400, y: 90, width: 200, height: 380 }),
    ];
    const { image, lines } = photo(680, 560, (x, y) => 110 + 25 * Math.sin(y / 9 + x / 300), sheets);
    expectClose(await boxesIn(image, lines), sheets);
  });

  test('a coloured panel on a paper is not a paper of its own', async () => {
    const paper = sheet({ x: 100, y: 60, width: 300, height: 460 });
    const panel = sheet({ x: 130, y: 300, width: 240, height: 120 }, 170);
    const { image, lines } = photo(520, 600, () => 50, [paper, panel]);
    expectClose(await boxesIn(image, lines), [paper]);
  });

  test('a page that fills the picture is one region, with a panel and two columns of text on it', async () => {
    const panel = sheet({ x: 60, y: 560, width: 480, height: 160 }, 200);
    const page = sheet({ x: 0, y: 0, width: 600, height: 800 });
    const { image, lines } = photo(600, 800, () => 250, [page, panel]);
    expectClose(await boxesIn(image, lines), [page]);
  });

  test('print too small to be seen on the whole photo is looked at closely; a plain tile is not', async () => {
    const seen = sheet({ x: 60, y: 60, width: 200, height: 400 });
    const faint = sheet({ x: 400, y: 80, width: 200, height: 360 });
    const { image } = photo(680, 560, (x, y) => (x > 290 && x < 360 && y > 100 && y < 400 ? 120 : 60), [seen, faint]);
    const looked: RotatedRect[] = [];
    const look: Look = (rect) => {
      looked.push(rect);
      return Promise.resolve(linesOf(faint));
    };
    expectClose(await boxesIn(image, linesOf(seen), look), [seen, faint]);
    expect(looked).toHaveLength(1);
  });

  test('receipts on a scanner lid of their own white are told apart by their text', async () => {
    const left = sheet({ x: 60, y: 60, width: 200, height: 420 }, 255);
    const right = sheet({ x: 420, y: 66, width: 200, height: 400 }, 255);
    const { image } = photo(680, 560, () => 255, [left]);
    const lines = [...linesOf(left), ...linesOf({ ...right, cy: right.cy + 9 })];
    expect(await boxesIn(image, lines)).toHaveLength(2);
  });

  test('a picture without any text is one region: itself', async () => {
    const { image } = photo(400, 300, () => 128, []);
    expect(await boxesIn(image, [])).toEqual([{ x: 0, y: 0, width: 400, height: 300 }]);
  });

  test('a picture of a few pixels is not refused', async () => {
    const { image } = photo(3, 2, () => 128, []);
    expect(await boxesIn(image, [])).toHaveLength(1);
  });
});

describe('cutting out', () => {
  test('a rectangle at an angle is turned level, white beyond the picture', () => {
    const { image } = photo(60, 60, () => 10, [{ ...sheet({ x: 15, y: 20, width: 30, height: 20 }, 200), angle: 0.5 }]);
    const cut = cutOut(image, { cx: 30, cy: 30, width: 24, height: 14, angle: 0.5 });
    expect([cut.width, cut.height]).toEqual([24, 14]);
    expect(Math.min(...cut.data)).toBe(200);
    const outside = cutOut(image, { cx: 0, cy: 0, width: 10, height: 10, angle: 0 });
    expect([...outside.data.subarray(0, 3)]).toEqual([255, 255, 255]);
  });
});
