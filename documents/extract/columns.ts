import { type Line, meanConfidence, textOf, unionBox } from '../layout/lines.ts';
import type { Word } from '../types.ts';

/** So many lines with text on both sides make columns; fewer are a pair of addresses or signatures. */
const FEWEST_LINES = 8;
const BINS = 120;
/** The white between two columns, in line heights. */
const GUTTER_HEIGHTS = 0.9;

interface Gutter {
  x: number;
  from: number;
  /** Exclusive. */
  to: number;
  paired: number;
}

/** Lines in the order in which two columns of running text are read: the left one down, then the right one. */
export function readingOrder(lines: Line[]): Line[] {
  const pages = [...new Set(lines.map((line) => line.page))];
  return pages.flatMap((page) => orderPage(lines.filter((line) => line.page === page)));
}

function orderPage(lines: Line[]): Line[] {
  const gutter = widestRegion(lines);
  if (!gutter) return lines;
  const region = lines.slice(gutter.from, gutter.to);
  const side = (keep: (centre: number) => boolean): Line[] =>
    region.flatMap((line) => {
      const words = line.words.filter((word) => keep(word.bbox.x + word.bbox.width / 2));
      return words.length === 0 ? [] : [partOf(line, words)];
    });
  const columns = [...side((centre) => centre < gutter.x), ...side((centre) => centre >= gutter.x)];
  return [...orderPage(lines.slice(0, gutter.from)), ...columns, ...orderPage(lines.slice(gutter.to))];
}

/** The run of lines that no word crosses at some x, with text on both sides in most of them. */
function widestRegion(lines: Line[]): Gutter | undefined {
  if (lines.length < FEWEST_LINES) return undefined;
  const box = unionBox(lines.map((line) => line.bbox));
  let best: Gutter | undefined;
  for (let bin = BINS * 0.22; bin <= BINS * 0.72; bin++) {
    const x = box.x + (box.width * bin) / BINS;
    for (const run of runsBeside(lines, x)) {
      if (run.paired < FEWEST_LINES || run.paired < (run.to - run.from) * 0.35) continue;
      if (!best || run.paired > best.paired) best = run;
    }
  }
  return best;
}

function runsBeside(lines: Line[], x: number): Gutter[] {
  const runs: Gutter[] = [];
  let run: Gutter = { x, from: 0, to: 0, paired: 0 };
  for (const [index, line] of lines.entries()) {
    const margin = (line.bbox.height * GUTTER_HEIGHTS) / 2;
    const crossed = line.words.some(({ bbox }) => bbox.x < x + margin && bbox.x + bbox.width > x - margin);
    if (crossed) {
      runs.push(run);
      run = { x, from: index + 1, to: index + 1, paired: 0 };
      continue;
    }
    const left = line.words.some((word) => word.bbox.x < x);
    const right = line.words.some((word) => word.bbox.x > x);
    run = { ...run, to: index + 1, paired: run.paired + (left && right ? 1 : 0) };
  }
  return [...runs, run];
}

function partOf(line: Line, words: Word[]): Line {
  const segments = line.segments
    .map((segment) => segment.words.filter((word) => words.includes(word)))
    .filter((part) => part.length > 0)
    .map((part) => ({ words: part, text: textOf(part), bbox: unionBox(part.map((word) => word.bbox)) }));
  return {
    ...line,
    words,
    segments,
    text: textOf(words),
    bbox: unionBox(words.map((word) => word.bbox)),
    confidence: meanConfidence(words),
  };
}
