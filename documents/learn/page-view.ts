import { type Line, layoutLines, type Segment } from '../layout/lines.ts';
import type { Box, PageText } from '../types.ts';
import { flat, lettersOf, median } from './text.ts';

/** A part of a line between two gaps or label marks, with its place in the line's text. */
export interface Atom {
  start: number;
  end: number;
  word: number;
  segment: number;
}

export interface ViewLine extends Line {
  /** Where each word begins in the line's text. */
  offsets: number[];
  atoms: Atom[];
}

export interface Phrase {
  /** Capitals only. */
  text: string;
  x: number;
  y: number;
  line: ViewLine;
}

/** The pages of a document as places are compared on them: distances in widths of the printed area. */
export interface PageView {
  lines: ViewLine[];
  text: string;
  /** Everything that is printed: capitals and digits only. */
  flat: string;
  phrases: Phrase[];
  /** Usual height of a word in pixels. */
  height: number;
  /** Left edge (0 to 1 across the printed area). */
  xOf(page: number, x: number): number;
  /** Distance from the top of the first page. */
  yOf(page: number, y: number): number;
  /** Lowest line's distance from the top. */
  end: number;
}

/** Words that no document has in such numbers; the rest of a hostile one is not looked at. */
const MOST_WORDS = 20_000;
const LEAST_LETTERS = 3;

export function viewOf(given: PageText[]): PageView {
  const pages = limited([...given].sort((a, b) => a.page - b.page));
  const lines = layoutLines(pages).map(toViewLine);
  const areas = new Map(pages.map((page) => [page.page, areaOf(page)]));
  const offsets = stacked(pages, areas);
  const xOf = (page: number, x: number): number => {
    const area = areas.get(page);
    return area ? (x - area.x) / area.width : 0;
  };
  const yOf = (page: number, y: number): number => {
    const area = areas.get(page);
    return area ? (y - area.y) / area.width + (offsets.get(page) ?? 0) : 0;
  };
  const text = lines.map((line) => line.text).join('\n');
  return {
    lines,
    text,
    flat: lines.map((line) => flat(line.text)).join(''),
    phrases: lines.flatMap((line) => phrasesOf(line, xOf, yOf)),
    height: median(pages.flatMap((page) => page.words.map((word) => word.bbox.height))) || 1,
    xOf,
    yOf,
    end: Math.max(0, ...lines.map((line) => yOf(line.page, line.bbox.y + line.bbox.height))),
  };
}

function limited(pages: PageText[]): PageText[] {
  let left = MOST_WORDS;
  return pages.map((page) => {
    const words = page.words.slice(0, left).filter((word) => word.text.trim() !== '');
    left -= words.length;
    return { ...page, words };
  });
}

/** The page itself where its size is the paper's; the printed part of a photo or scan, whose margins are chance. */
function areaOf(page: PageText): Box {
  const boxes = page.words.map((word) => word.bbox);
  if (page.source === 'text_layer' || boxes.length === 0)
    return { x: 0, y: 0, width: page.width || 1, height: page.height || 1 };
  const x = Math.min(...boxes.map((box) => box.x));
  const y = Math.min(...boxes.map((box) => box.y));
  const right = Math.max(...boxes.map((box) => box.x + box.width));
  const bottom = Math.max(...boxes.map((box) => box.y + box.height));
  return { x, y, width: Math.max(1, right - x), height: Math.max(1, bottom - y) };
}

function stacked(pages: PageText[], areas: Map<number, Box>): Map<number, number> {
  let offset = 0;
  return new Map(
    pages.map((page) => {
      const entry = [page.page, offset] as const;
      const area = areas.get(page.page)!;
      offset += area.height / area.width;
      return entry;
    }),
  );
}

function toViewLine(line: Line): ViewLine {
  let at = 0;
  const offsets = line.words.map((word) => {
    const start = at;
    at += word.text.length + 1;
    return start;
  });
  return { ...line, offsets, atoms: atomsOf(line, offsets) };
}

/** "Date:12/03/2024" is one word to the reader, and two atoms. */
function atomsOf(line: Line, offsets: number[]): Atom[] {
  const atoms: Atom[] = [];
  let segment = 0;
  let left = line.segments[0]?.words.length ?? 0;
  for (const [word, { text }] of line.words.entries()) {
    if (left === 0) left = line.segments[++segment]?.words.length ?? 0;
    left--;
    for (const match of text.matchAll(/[^:=#]+[:=#]*|[:=#]+/g)) {
      const start = offsets[word]! + match.index;
      atoms.push({ start, end: start + match[0].length, word, segment });
    }
  }
  return atoms;
}

function phrasesOf(
  line: ViewLine,
  xOf: (page: number, x: number) => number,
  yOf: (page: number, y: number) => number,
): Phrase[] {
  return line.segments.flatMap((segment: Segment) => {
    const text = lettersOf(segment.text);
    const readable = text.length >= LEAST_LETTERS && text.length * 2 > flat(segment.text).length;
    if (!readable) return [];
    const { x, y, height } = segment.bbox;
    return [{ text: text.slice(0, 40), x: xOf(line.page, x), y: yOf(line.page, y + height / 2), line }];
  });
}
