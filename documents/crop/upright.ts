import { isLineReader, type OcrEngine, type RgbImage, type TextRegion } from '../ocr/engine.ts';
import type { RotatedRect } from '../ocr/geometry.ts';

/** Enough to tell which way print stands: long lines hold most letters, but the longest take most time. */
const PROBE_LINES = 4;
const MAX_PROBE_ASPECT = 14;
/** Upright print is read at 0.9 and more; upside down at 0.6 or less. Between the two, both ways are compared. */
const SURE_CONFIDENCE = 0.88;
const QUARTER = Math.PI / 2;

/**
 * The rectangle with its width along the reading direction: the lines tell whether the paper lies on its side, and the
 * reader itself, by reading some of them both ways, whether it stands on its head.
 */
export async function readingRectangle(
  ocr: OcrEngine,
  image: RgbImage,
  rect: RotatedRect,
  lines: TextRegion[],
): Promise<RotatedRect> {
  const sideways = liesOnSide(rect, lines);
  const turned = sideways ? quarterTurn(rect) : rect;
  if (!isLineReader(ocr) || lines.length === 0) return turned;
  const along = lines
    .map((line) => (isAcross(turned, line) ? quarterTurn(line) : line))
    .filter((line) => line.width > line.height)
    .sort((a, b) => probeValue(b) - probeValue(a))
    .slice(0, PROBE_LINES);
  if (along.length === 0) return turned;
  // A line's own angle is within (-45°, 45°]: bring it to the direction that the paper is read in.
  const directed = along.map((line) => (Math.cos(line.angle - turned.angle) < 0 ? halfTurn(line) : line));
  const upright = confidence(await ocr.recognise(image, directed), directed.length);
  if (upright >= SURE_CONFIDENCE) return turned;
  const flipped = confidence(await ocr.recognise(image, directed, { flipped: true }), directed.length);
  return flipped > upright ? halfTurn(turned) : turned;
}

function liesOnSide(rect: RotatedRect, lines: TextRegion[]): boolean {
  let along = 0;
  let across = 0;
  for (const line of lines) {
    const length = Math.max(line.width, line.height);
    if (length < 1.5 * Math.min(line.width, line.height)) continue;
    if (longSideIsAlong(rect, line)) along += length;
    else across += length;
  }
  return across > along;
}

function longSideIsAlong(rect: RotatedRect, line: TextRegion): boolean {
  const direction = line.width >= line.height ? line.angle : line.angle + QUARTER;
  return Math.abs(Math.cos(direction - rect.angle)) > Math.SQRT1_2;
}

function probeValue({ width, height }: TextRegion): number {
  const aspect = width / height;
  return aspect <= MAX_PROBE_ASPECT ? aspect : MAX_PROBE_ASPECT - aspect;
}

const isAcross = (rect: RotatedRect, line: TextRegion): boolean =>
  Math.abs(Math.cos(line.angle - rect.angle)) < Math.SQRT1_2;

const quarterTurn = <Rect extends RotatedRect>(rect: Rect): Rect => ({
  ...rect,
  width: rect.height,
  height: rect.width,
  angle: rect.angle + QUARTER,
});

const halfTurn = <Rect extends RotatedRect>(rect: Rect): Rect => ({ ...rect, angle: rect.angle + Math.PI });

const confidence = (lines: { confidence: number }[], asked: number): number =>
  lines.reduce((sum, line) => sum + line.confidence, 0) / asked;
