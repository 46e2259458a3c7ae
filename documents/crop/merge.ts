import type { EdgeMap } from './work-image.ts';
import type { Seeds } from './seeds.ts';

const BINS_PER_UNIT = 4;
const BINS = 128;
/** Two pieces of one paper share at least some plain paper; an edge of paper is sharp nearly all along. */
const WEAKEST_QUARTER = 0.25;
/** Borders shorter than this are corners that touch by chance. */
const MIN_BORDER = 6;
/** Folds and tints of one paper stay below the weakest limit; the strongest still parts grey from white paper. */
const MIN_LIMIT = 0.6;
const MAX_LIMIT = 5;
/** An edge stands out of the photo's noise by this factor. */
const NOISE_FACTOR = 2.5;
/** An edge counts as one from this share of the photo's usual paper edge. */
const LIMIT_SHARE = 0.3;

interface Border {
  a: number;
  b: number;
  bins: Int32Array;
  length: number;
  /** Strength that three quarters of the border reach. */
  edge: number;
}

/**
 * Joins the pieces that no edge parts. What an edge is depends on the photo: white papers on a dark table have strong
 * ones, on a white table only faint ones.
 *
 * @param limit what counts as an edge; found from the borders between text and frame unless it is given
 */
export function mergePieces(map: EdgeMap, seeds: Seeds, limit?: number): Merged {
  const borders = bordersOf(map, seeds);
  return joinBorders(borders, seeds.count, limit ?? edgeLimit(map, borders, seeds.textLabels));
}

export interface Merged {
  /** For each label its group, named by one of the group's labels. */
  group: Int32Array;
  limit: number;
}

function joinBorders(borders: Border[], count: number, limit: number): Merged {
  const group = Int32Array.from({ length: count + 1 }, (_, label) => label);
  const neighbours = new Map<number, Map<number, Border>>();
  const link = (a: number, b: number, border: Border): void => {
    const of = neighbours.get(a) ?? new Map<number, Border>();
    of.set(b, border);
    neighbours.set(a, of);
  };
  for (const border of borders) {
    link(border.a, border.b, border);
    link(border.b, border.a, border);
  }
  for (let weakest = weakestOf(neighbours, limit); weakest; weakest = weakestOf(neighbours, limit)) {
    join(neighbours, weakest.a, weakest.b);
    for (let label = 0; label < group.length; label++) if (group[label] === weakest.b) group[label] = weakest.a;
  }
  return { group, limit };
}

function bordersOf({ width, height, strength }: EdgeMap, { labels, count }: Seeds): Border[] {
  const borders = new Map<number, Border>();
  const meet = (one: number, other: number): void => {
    const a = Math.min(labels[one]!, labels[other]!);
    const b = Math.max(labels[one]!, labels[other]!);
    if (a === b) return;
    const key = a * (count + 1) + b;
    let border = borders.get(key);
    if (!border) borders.set(key, (border = { a, b, bins: new Int32Array(BINS), length: 0, edge: 0 }));
    const edge = Math.max(strength[one]!, strength[other]!);
    const bin = Math.min(BINS - 1, Math.floor(edge * BINS_PER_UNIT));
    border.bins[bin] = border.bins[bin]! + 1;
    border.length++;
  };
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const at = y * width + x;
      if (x + 1 < width) meet(at, at + 1);
      if (y + 1 < height) meet(at, at + width);
    }
  }
  for (const border of borders.values()) border.edge = quantile(border, WEAKEST_QUARTER);
  return [...borders.values()];
}

function quantile({ bins, length }: Pick<Border, 'bins' | 'length'>, share: number): number {
  let seen = 0;
  for (let bin = 0; bin < BINS; bin++) {
    seen += bins[bin]!;
    if (seen > length * share) return bin / BINS_PER_UNIT;
  }
  return BINS / BINS_PER_UNIT;
}

/** From the edges between text and frame: where papers are seen whole, those are the papers' edges. */
function edgeLimit({ strength }: EdgeMap, borders: Border[], textLabels: number): number {
  const outer = borders.filter(({ a, b, length }) => a <= textLabels && b > textLabels && length >= MIN_BORDER);
  const edges = outer.map((border) => quantile(border, 0.5)).sort((a, b) => a - b);
  const usual = edges[Math.floor(edges.length / 2)] ?? 0;
  const noise = Float32Array.from(strength).sort()[Math.floor(strength.length / 2)]!;
  return Math.min(MAX_LIMIT, Math.max(MIN_LIMIT, noise * NOISE_FACTOR, usual * LIMIT_SHARE));
}

function weakestOf(neighbours: Map<number, Map<number, Border>>, limit: number): { a: number; b: number } | undefined {
  let found: { a: number; b: number } | undefined;
  let least = limit;
  for (const [a, of] of neighbours) {
    for (const [b, border] of of) {
      if (b < a || border.length < MIN_BORDER) continue;
      if (border.edge >= least) continue;
      least = border.edge;
      found = { a, b };
    }
  }
  return found;
}

/** Gives b's borders to a. */
function join(neighbours: Map<number, Map<number, Border>>, a: number, b: number): void {
  const mine = neighbours.get(a)!;
  for (const [other, border] of neighbours.get(b)!) {
    neighbours.get(other)!.delete(b);
    if (other === a) continue;
    const shared = mine.get(other);
    const sum = shared ? added(shared, border) : border;
    mine.set(other, sum);
    neighbours.get(other)!.set(a, sum);
  }
  neighbours.delete(b);
}

function added(one: Border, other: Border): Border {
  const bins = one.bins.map((count, bin) => count + other.bins[bin]!);
  const length = one.length + other.length;
  return { ...one, bins, length, edge: quantile({ bins, length }, WEAKEST_QUARTER) };
}
