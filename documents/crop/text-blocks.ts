import { axisAlignedBox, normaliseAngle, type RotatedRect } from '../ocr/geometry.ts';
import type { TextRegion } from '../ocr/engine.ts';
import type { Box } from '../types.ts';

export interface BlockOptions {
  width: number;
  height: number;
  /** Papers are known to lie on the photo: what is between them is more of the same. */
  loose: boolean;
}

/** Fewer lines than this are a stamp, a logo or a note. */
const MIN_LINES = 5;
/** Of the page's shorter side: what is smaller than this in both directions is a footer or a note. */
const MIN_SIZE = 0.08;
/** An empty strip between two documents, as a share of the page's side across it. */
const COLUMN_GAP = 0.08;
const ROW_GAP = 0.12;
const INNER_GAP = 0.04;
/** The columns of one page stand on common baselines. */
const SAME_BASELINE = 0.25;
const SHARED_BASELINES = 0.45;
const CHANCE_OFFSETS = [-1.25, -0.9, -0.55, 0.55, 0.9, 1.25];
const MORE_THAN_CHANCE = 1.4;
/** Text this wide runs across the page: what follows under a gap belongs to it. */
const FULL_WIDTH = 0.55;

/**
 * Documents on one page whose papers can't be told from what they lie on (receipts on a scanner's white lid): blocks of
 * text apart from each other, by recursive cuts along the empty strips (XY-cut, Nagy and Seth 1984). A single page has
 * such strips too, so each side of a cut must be a document of its own by its number of lines, size and baselines.
 */
export function textBlocks(lines: TextRegion[], options: BlockOptions): TextRegion[][] {
  if (lines.length === 0) return [];
  const angle = textAngle(lines) ?? 0;
  const items = lines.map((line) => ({ line, box: axisAlignedBox(turnedBack(line, angle)) }));
  return cut(items, options, options.loose).map((part) => part.map(({ line }) => line));
}

/** Usual direction of the lines; quarter turns don't matter for a rectangle. */
export function textAngle(lines: TextRegion[]): number | undefined {
  const long = lines.filter(({ width, height }) => Math.max(width, height) > 3 * Math.min(width, height));
  const sorted = long.map(({ angle }) => angle).sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)];
}

function turnedBack(line: TextRegion, angle: number): TextRegion {
  const cos = Math.cos(angle);
  const sin = Math.sin(angle);
  return {
    ...line,
    cx: line.cx * cos + line.cy * sin,
    cy: line.cy * cos - line.cx * sin,
    angle: line.angle - angle,
  };
}

/** The rectangle around a block's ink, along its lines. */
export function rectangleAround(lines: TextRegion[]): RotatedRect {
  const angle = textAngle(lines) ?? 0;
  const turned = lines.map((line) => {
    // Detected lines reach beyond their ink by about a fifth of their height.
    const shrink = 0.4 * Math.min(line.width, line.height);
    const straight = turnedBack(line, angle);
    return axisAlignedBox({ ...straight, width: line.width - shrink, height: line.height - shrink });
  });
  const box = union(turned.map((box) => ({ box })));
  const u = box.x + box.width / 2;
  const v = box.y + box.height / 2;
  return normaliseAngle({
    cx: u * Math.cos(angle) - v * Math.sin(angle),
    cy: u * Math.sin(angle) + v * Math.cos(angle),
    width: box.width,
    height: box.height,
    angle,
  });
}

interface Item {
  line: TextRegion;
  box: Box;
}

type Axis = 'x' | 'y';

function cut(items: Item[], options: BlockOptions, columned: boolean): Item[][] {
  const columns = bestCut(items, 'x', options, options.loose ? INNER_GAP : COLUMN_GAP);
  if (columns && (options.loose || !sharesBaselines(columns))) {
    return columns.flatMap((side) => cut(side, options, true));
  }
  const rows = bestCut(items, 'y', options, columned ? INNER_GAP : ROW_GAP);
  if (rows && (columned || rows.every((side) => union(side).width < FULL_WIDTH * options.width))) {
    return rows.flatMap((side) => cut(side, options, columned));
  }
  return [items];
}

/** The widest empty strip that has a document on both of its sides. */
function bestCut(items: Item[], axis: Axis, options: BlockOptions, share: number): [Item[], Item[]] | undefined {
  const size = axis === 'x' ? 'width' : 'height';
  const sorted = [...items].sort((a, b) => a.box[axis] - b.box[axis]);
  let end = -Infinity;
  let widest = options[size] * share;
  let found: [Item[], Item[]] | undefined;
  for (const [index, { box }] of sorted.entries()) {
    if (box[axis] - end > widest && index > 0) {
      const sides: [Item[], Item[]] = [sorted.slice(0, index), sorted.slice(index)];
      if (sides.every((side) => isDocument(side, options))) {
        widest = box[axis] - end;
        found = sides;
      }
    }
    end = Math.max(end, box[axis] + box[size]);
  }
  return found;
}

export function isDocument(items: Pick<Item, 'box'>[], { width, height }: BlockOptions): boolean {
  if (items.length < MIN_LINES) return false;
  const box = union(items);
  const least = MIN_SIZE * Math.min(width, height);
  return box.width >= least && box.height >= least;
}

/** Rows of a table stand exactly beside each other; lines of two receipts do so as often as at any other offset. */
function sharesBaselines([left, right]: [Item[], Item[]]): boolean {
  const [few, many] = left.length < right.length ? [left, right] : [right, left];
  const middle = ({ box }: Item): number => box.y + box.height / 2;
  const shared = (offset: number): number =>
    few.filter((item) =>
      many.some(
        (other) =>
          Math.abs(middle(item) + offset * item.line.height - middle(other)) < SAME_BASELINE * item.line.height,
      ),
    ).length / few.length;
  const byChance = CHANCE_OFFSETS.reduce((sum, offset) => sum + shared(offset), 0) / CHANCE_OFFSETS.length;
  return shared(0) >= SHARED_BASELINES && shared(0) >= MORE_THAN_CHANCE * byChance;
}

function union(items: Pick<Item, 'box'>[]): Box {
  const x = Math.min(...items.map(({ box }) => box.x));
  const y = Math.min(...items.map(({ box }) => box.y));
  const right = Math.max(...items.map(({ box }) => box.x + box.width));
  const bottom = Math.max(...items.map(({ box }) => box.y + box.height));
  return { x, y, width: right - x, height: bottom - y };
}
