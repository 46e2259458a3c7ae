import { convexHull, minimumAreaRect, normaliseAngle, type Point, type RotatedRect } from '../ocr/geometry.ts';

/** Pixels of one piece of the map. */
export interface Mask {
  width: number;
  /** Index (y × width + x) of each pixel. */
  pixels: number[];
}

export interface Fit {
  rect: RotatedRect;
  /** Share of the rectangle that the mask covers: 1 for a paper that is seen whole. */
  fill: number;
}

/** Rows and columns that hold less than this share of the usual are spurs where a piece leaked over its edge. */
const SPUR_SHARE = 0.35;

/**
 * The paper's rectangle: at the angle of the piece's own outline or of its text, whichever it fills better, without the
 * spurs.
 */
export function fitRectangle(mask: Mask, textAngle?: number): Fit {
  const outline = minimumAreaRect(convexHull(outlineOf(mask))).angle;
  const angles = textAngle === undefined ? [outline] : [outline, textAngle];
  const fits = angles.map((angle) => trimmedAt(mask, angle));
  return fits.reduce((best, fit) => (fit.fill > best.fill + 0.005 ? fit : best));
}

/** Corners of the first and last pixel of each row, sorted by x, then y. */
function outlineOf({ width, pixels }: Mask): Point[] {
  const rows = new Map<number, [number, number]>();
  for (const at of pixels) {
    const y = Math.floor(at / width);
    const x = at - y * width;
    const row = rows.get(y);
    if (!row) rows.set(y, [x, x]);
    else if (x < row[0]) row[0] = x;
    else if (x > row[1]) row[1] = x;
  }
  const points: Point[] = [];
  for (const [y, [left, right]] of rows) {
    points.push({ x: left, y }, { x: right + 1, y }, { x: left, y: y + 1 }, { x: right + 1, y: y + 1 });
  }
  return points.sort((a, b) => a.x - b.x || a.y - b.y);
}

function trimmedAt(mask: Mask, angle: number): Fit {
  const cos = Math.cos(angle);
  const sin = Math.sin(angle);
  const [u0, u1] = extent(mask, cos, sin);
  const [v0, v1] = extent(mask, -sin, cos);
  let inside = 0;
  for (const at of mask.pixels) {
    const [x, y] = centre(at, mask.width);
    const u = x * cos + y * sin;
    const v = y * cos - x * sin;
    if (u >= u0 && u <= u1 && v >= v0 && v <= v1) inside++;
  }
  const u = (u0 + u1) / 2;
  const v = (v0 + v1) / 2;
  const rect = normaliseAngle({ cx: u * cos - v * sin, cy: u * sin + v * cos, width: u1 - u0, height: v1 - v0, angle });
  return { rect, fill: Math.min(1, inside / Math.max(1, rect.width * rect.height)) };
}

const centre = (at: number, width: number): [number, number] => {
  const y = Math.floor(at / width);
  return [at - y * width + 0.5, y + 0.5];
};

/** First and last position along a direction that holds its share of the mask. */
function extent({ pixels, width }: Mask, dx: number, dy: number): [number, number] {
  const along = pixels.map((at) => {
    const [x, y] = centre(at, width);
    return Math.floor(x * dx + y * dy);
  });
  const least = along.reduce((a, b) => Math.min(a, b), Infinity);
  const most = along.reduce((a, b) => Math.max(a, b), -Infinity);
  const counts = new Int32Array(most - least + 1);
  for (const position of along) counts[position - least] = counts[position - least]! + 1;
  const usual = Int32Array.from(counts).sort()[Math.floor(counts.length * 0.6)]!;
  const limit = Math.max(1, usual * SPUR_SHARE);
  let first = 0;
  let last = counts.length - 1;
  while (first < last && counts[first]! < limit) first++;
  while (last > first && counts[last]! < limit) last--;
  return [first + least, last + least + 1];
}
