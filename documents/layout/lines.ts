import type { Box, PageBox, PageText, Word } from '../types.ts';

/** Words that stand close together on a line: a table cell, or a label with its value. */
export interface Segment {
  words: Word[];
  text: string;
  bbox: Box;
}

export interface Line {
  page: number;
  /** Position in reading order over all pages. */
  index: number;
  words: Word[];
  segments: Segment[];
  text: string;
  bbox: Box;
  confidence: number;
}

/** Share of the smaller height by which the centres of two neighbours on a line may differ. */
const CENTRE_TOLERANCE = 0.38;
/** A gap of so many line heights separates two segments. */
const SEGMENT_GAP = 1.3;

const centreY = (box: Box): number => box.y + box.height / 2;
const right = (box: Box): number => box.x + box.width;

/** Lines in reading order. Each word joins the line whose nearest word to its left lies level with it, so skew is borne. */
export function layoutLines(pages: PageText[]): Line[] {
  const lines: Line[] = [];
  for (const page of pages) {
    for (const words of groupLines(page.words)) lines.push(toLine(words, page.page, lines.length));
  }
  return lines;
}

function groupLines(words: Word[]): Word[][] {
  const groups: Word[][] = [];
  const ordered = [...words].sort((a, b) => a.bbox.x - b.bbox.x);
  for (const word of ordered) {
    const home = nearestGroup(groups, word);
    if (home) home.push(word);
    else groups.push([word]);
  }
  return groups.sort((a, b) => meanCentre(a) - meanCentre(b));
}

function nearestGroup(groups: Word[][], word: Word): Word[] | undefined {
  let best: Word[] | undefined;
  let bestDistance = Infinity;
  for (const group of groups) {
    const last = group.at(-1)!;
    const height = Math.min(last.bbox.height, word.bbox.height);
    const distance = Math.abs(centreY(last.bbox) - centreY(word.bbox));
    const overlap = right(last.bbox) - word.bbox.x;
    if (distance > height * CENTRE_TOLERANCE || overlap > Math.max(height, word.bbox.width * 0.5)) continue;
    if (distance < bestDistance) {
      bestDistance = distance;
      best = group;
    }
  }
  return best;
}

const meanCentre = (words: Word[]): number => words.reduce((sum, word) => sum + centreY(word.bbox), 0) / words.length;

function toLine(words: Word[], page: number, index: number): Line {
  const segments = splitSegments(words);
  return {
    page,
    index,
    words,
    segments,
    text: textOf(words),
    bbox: unionBox(words.map((word) => word.bbox)),
    confidence: meanConfidence(words),
  };
}

function splitSegments(words: Word[]): Segment[] {
  const segments: Word[][] = [];
  for (const word of words) {
    const current = segments.at(-1);
    const last = current?.at(-1);
    const gap = last ? word.bbox.x - right(last.bbox) : Infinity;
    const height = last ? Math.min(last.bbox.height, word.bbox.height) : 0;
    if (current && gap <= height * SEGMENT_GAP) current.push(word);
    else segments.push([word]);
  }
  return segments.map((group) => ({
    words: group,
    text: textOf(group),
    bbox: unionBox(group.map((word) => word.bbox)),
  }));
}

export const textOf = (words: Word[]): string => words.map((word) => word.text).join(' ');

export const meanConfidence = (words: Word[]): number =>
  words.length === 0 ? 0 : words.reduce((sum, word) => sum + word.confidence, 0) / words.length;

export function unionBox(boxes: Box[]): Box {
  const x = Math.min(...boxes.map((box) => box.x));
  const y = Math.min(...boxes.map((box) => box.y));
  return {
    x,
    y,
    width: Math.max(...boxes.map(right)) - x,
    height: Math.max(...boxes.map((box) => box.y + box.height)) - y,
  };
}

export function pageBox(words: Word[], page: number): PageBox | null {
  if (words.length === 0) return null;
  const box = unionBox(words.map((word) => word.bbox));
  const round = (value: number): number => Math.round(value * 10) / 10;
  return { x: round(box.x), y: round(box.y), width: round(box.width), height: round(box.height), page };
}
