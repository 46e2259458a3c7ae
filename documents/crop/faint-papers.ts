import type { TextRegion } from '../ocr/engine.ts';
import type { RotatedRect } from '../ocr/geometry.ts';
import { type Fit, fitRectangle } from './fit.ts';
import { mergePieces } from './merge.ts';
import { type Piece, piecesOf } from './pieces.ts';
import { fillFrame } from './seeds.ts';
import { watershed } from './watershed.ts';
import type { EdgeMap } from './work-image.ts';

const GRID = 32;
const MIN_AREA = 0.004;
const MAX_AREA = 0.6;
const MIN_FILL = 0.88;
/** Print covers at least so much of a receipt; a tile or a mat has none. */
const MIN_INK = 0.02;
/** Each costs a run of the text detector. */
const MAX_CANDIDATES = 12;

/**
 * Rectangles on the ground whose print is too small for the text detector to see on the whole photo. They are only
 * candidates: tiles and books are rectangles, too, and text must be found on a closer look.
 *
 * @param limit what counts as an edge on this photo
 */
export function printedRectangles(map: EdgeMap, ground: Piece[], limit: number): RotatedRect[] {
  const known = 1;
  const labels = new Int32Array(map.width * map.height).fill(known);
  for (const piece of ground) for (const at of piece.pixels) labels[at] = 0;
  let count = fillFrame(map, labels, known);
  count = fillGrid(map, labels, count);
  const seeds = { labels: watershed(map, labels), textLabels: 0, count };
  const pieces = piecesOf(map, seeds, mergePieces(map, seeds, limit).group);
  const area = map.width * map.height;
  return pieces
    .filter(({ pixels }) => pixels.length >= MIN_AREA * area && pixels.length <= MAX_AREA * area)
    .filter(({ pixels }) => labels[pixels[0]!] !== known && inkOn(map, pixels) >= MIN_INK)
    .map((piece): Fit => fitRectangle({ width: map.width, pixels: piece.pixels }))
    .filter(({ fill }) => fill >= MIN_FILL)
    .slice(0, MAX_CANDIDATES)
    .map(({ rect }) => rect);
}

/** A seed at the plainest spot of each cell of a grid. */
function fillGrid({ width, height, strength }: EdgeMap, labels: Int32Array, from: number): number {
  let label = from;
  for (let top = 0; top < height; top += GRID) {
    for (let left = 0; left < width; left += GRID) {
      let plainest = -1;
      for (let y = top; y < Math.min(height, top + GRID); y++) {
        for (let x = left; x < Math.min(width, left + GRID); x++) {
          const at = y * width + x;
          if (labels[at] === 0 && (plainest < 0 || strength[at]! < strength[plainest]!)) plainest = at;
        }
      }
      if (plainest >= 0) labels[plainest] = ++label;
    }
  }
  return label;
}

function inkOn({ ink }: EdgeMap, pixels: number[]): number {
  return pixels.reduce((sum, at) => sum + ink[at]!, 0) / pixels.length;
}

/** Where a line that was found on a cut lies on the picture that it was cut from. */
export function onPicture(line: TextRegion, cut: RotatedRect): TextRegion {
  const u = line.cx - cut.width / 2;
  const v = line.cy - cut.height / 2;
  const cos = Math.cos(cut.angle);
  const sin = Math.sin(cut.angle);
  return { ...line, cx: cut.cx + u * cos - v * sin, cy: cut.cy + u * sin + v * cos, angle: line.angle + cut.angle };
}
