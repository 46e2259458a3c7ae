import type { TextRegion } from '../ocr/engine.ts';
import type { EdgeMap } from './work-image.ts';

/** Detected lines are grown beyond their ink; a seed must stay on its paper. */
const SEED_SHARE = 0.7;
const FRAME = 2;
const FRAME_SEGMENT = 60;
const MIN_FRAME_SEGMENT = 5;
/** A change of colour along the frame this strong may be a paper that is cut off by it. */
const FRAME_EDGE = 2;

export interface Seeds {
  labels: Int32Array;
  /** Labels 1 … textLabels are text lines, in their order; the later ones are pieces of the frame. */
  textLabels: number;
  count: number;
}

/** Text lines lie on papers; the frame of a photo mostly shows what the papers lie on. */
export function placeSeeds(map: EdgeMap, lines: TextRegion[]): Seeds {
  const labels = new Int32Array(map.width * map.height);
  for (const [index, line] of lines.entries()) fillLine(map, labels, line, index + 1);
  const count = fillFrame(map, labels, lines.length);
  return { labels, textLabels: lines.length, count };
}

function fillLine({ width, height, scale }: EdgeMap, labels: Int32Array, line: TextRegion, label: number): void {
  const cx = line.cx / scale;
  const cy = line.cy / scale;
  const halfWidth = Math.max(1, (line.width / scale / 2) * SEED_SHARE);
  const halfHeight = Math.max(1, (line.height / scale / 2) * SEED_SHARE);
  const cos = Math.cos(line.angle);
  const sin = Math.sin(line.angle);
  const reach = Math.hypot(halfWidth, halfHeight);
  for (let y = Math.max(0, Math.floor(cy - reach)); y <= Math.min(height - 1, Math.ceil(cy + reach)); y++) {
    for (let x = Math.max(0, Math.floor(cx - reach)); x <= Math.min(width - 1, Math.ceil(cx + reach)); x++) {
      const along = (x - cx) * cos + (y - cy) * sin;
      const across = (y - cy) * cos - (x - cx) * sin;
      if (Math.abs(along) <= halfWidth && Math.abs(across) <= halfHeight) labels[y * width + x] = label;
    }
  }
}

/** Cuts the frame into pieces, also where its colour changes: one piece must not lie on a paper and beside it. */
export function fillFrame({ width, height, strength }: EdgeMap, labels: Int32Array, from: number): number {
  let label = from;
  let length = FRAME_SEGMENT;
  const visit = (inner: number, pixels: number[]): void => {
    const edge = strength[inner]! > FRAME_EDGE;
    if (length >= FRAME_SEGMENT || (edge && length >= MIN_FRAME_SEGMENT)) {
      label++;
      length = 0;
    }
    length++;
    if (edge) return;
    for (const at of pixels) labels[at] ||= label;
  };
  const depth = Array.from({ length: FRAME }, (_, i) => i);
  for (let x = 0; x < width; x++)
    visit(
      width + x,
      depth.map((d) => d * width + x),
    );
  for (let y = 0; y < height; y++)
    visit(
      y * width + width - 2,
      depth.map((d) => y * width + width - 1 - d),
    );
  for (let x = width - 1; x >= 0; x--)
    visit(
      (height - 2) * width + x,
      depth.map((d) => (height - 1 - d) * width + x),
    );
  for (let y = height - 1; y >= 0; y--)
    visit(
      y * width + 1,
      depth.map((d) => y * width + d),
    );
  return label;
}
