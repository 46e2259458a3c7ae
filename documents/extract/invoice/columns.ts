import type { Line, Segment } from '../../layout/lines.ts';
import { unionBox } from '../../layout/lines.ts';
import type { Box, PageBox, Word } from '../../types.ts';

/** A piece of a line that stands by itself: a cell, a label, a line of an address. */
export interface Run extends Segment {
  line: Line;
}

/** From a heading to the first line under it, and from line to line, in heights of the letters. */
const FIRST_STEP = 3.3;
const STEP = 2.3;
/** A blank line may stand between the name and the street; two end the block. */
const STEP_OF_PITCH = 2.25;
const ALIGNED = 0.9;
const INDENT = 3.5;

const centreY = (box: Box): number => box.y + box.height / 2;
const rightOf = (box: Box): number => box.x + box.width;

export const runsOf = (lines: Line[]): Run[] =>
  lines.flatMap((line) => line.segments.map((segment) => ({ ...segment, line })));

/** The part of a run from a word on: what follows a label. */
export const tailRun = (run: Run, words: Word[], text: string): Run => ({
  line: run.line,
  words,
  text,
  bbox: words.length > 0 ? unionBox(words.map((word) => word.bbox)) : run.bbox,
});

/**
 * The lines that stand under a run in its column: aligned left, right or in the middle, or indented, and no further
 * apart than the lines of a block. Letters may differ in size: a name is often larger than its address.
 */
export function columnUnder(lines: Line[], start: Run, maxLines = 14): Run[] {
  const found: Run[] = [];
  let pitch = Infinity;
  let last = start;
  for (const line of lines) {
    if (line.page !== start.line.page || line.index <= start.line.index) continue;
    const height = Math.min(last.bbox.height, line.bbox.height);
    const limit = found.length === 0 ? FIRST_STEP * height : Math.min(STEP * height, STEP_OF_PITCH * pitch);
    const segment = line.segments.find((one) => isUnder(one.bbox, last.bbox, start.bbox, height));
    if (!segment) {
      if (centreY(line.bbox) - centreY(last.bbox) > limit * 1.5) break;
      continue;
    }
    const step = centreY(segment.bbox) - centreY(last.bbox);
    if (step > limit) break;
    if (step < height * 0.35) continue;
    // The lines of an address keep their distance; the step from a heading or a logo says nothing about them.
    if (found.length > 0) pitch = Math.min(pitch, Math.max(step, height * 0.9));
    found.push({ ...segment, line });
    last = found.at(-1)!;
    if (found.length >= maxLines) break;
  }
  return found;
}

function isUnder(box: Box, last: Box, first: Box, height: number): boolean {
  const near = (a: number, b: number): boolean => Math.abs(a - b) <= height * ALIGNED;
  return [last, first].some(
    (above) =>
      near(box.x, above.x) ||
      (box.x < rightOf(above) && rightOf(box) > above.x && near(rightOf(box), rightOf(above))) ||
      near(box.x + box.width / 2, above.x + above.width / 2) ||
      (box.x > above.x && box.x < Math.min(above.x + height * INDENT, rightOf(above))),
  );
}

/** The place on its page that a block takes up. */
export function regionOf(runs: Run[]): PageBox | undefined {
  const first = runs[0];
  if (!first) return undefined;
  const own = runs.filter((run) => run.line.page === first.line.page);
  return { ...unionBox(own.map((run) => run.bbox)), page: first.line.page };
}

/** The middle of a box lies inside of a region that is widened by so many pixels. */
export function isInside(box: Box, page: number, region: PageBox | undefined, margin: number): boolean {
  if (region?.page !== page) return false;
  const y = centreY(box);
  return (
    y > region.y - margin &&
    y < region.y + region.height + margin &&
    box.x > region.x - margin * 2 &&
    box.x < rightOf(region) + margin
  );
}
