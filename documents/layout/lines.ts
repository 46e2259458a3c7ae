import type { Box, PageBox, PageText, Word } from '../types.ts';
import { inBounds, printedWords } from './bounds.ts';
import { OpenLines, type Placed } from './open-lines.ts';

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

/** A gap of so many line heights separates two segments. */
const SEGMENT_GAP = 1.3;
/** Words whose centres are so many heights apart measure the skew finely. */
const FAR_RUN = 3;
const MIN_SAMPLES = 8;
/** Neighbours that disagree more than this stand on no common slope. */
const MAX_SPREAD = 0.003;
/** 0.03 degrees: half a pixel over a page of a thousand. */
const MIN_SLOPE = 0.0005;
/** First by neighbours in a phrase, then by neighbours over the gaps of a table. */
const SKEW_ROUNDS = [true, false, false];

const centreY = (box: Box): number => box.y + box.height / 2;
const centreX = (box: Box): number => box.x + box.width / 2;
const right = (box: Box): number => box.x + box.width;

/**
 * Lines in reading order. The skew that is left of a photo or scan is measured from the page's own lines and taken off
 * before words are joined: over the gap of a table, a fraction of a degree is more than half a line.
 */
export function layoutLines(pages: PageText[]): Line[] {
  const lines: Line[] = [];
  for (const page of pages) {
    const printed = { ...page, words: printedWords(page.words) };
    for (const words of groupLines(printed).flatMap(inBounds)) lines.push(toLine(words, page.page, lines.length));
  }
  return lines;
}

function groupLines({ words, source }: PageText): Word[][] {
  let slope = 0;
  let groups = groupLevel(words, slope);
  // A text layer is upright; the differences of level in it are the sizes of its fonts.
  if (source === 'text_layer') return groups.map((group) => group.map(({ word }) => word));
  for (const nearby of SKEW_ROUNDS) {
    const rest = residualSlope(groups, nearby);
    if (Math.abs(rest) < MIN_SLOPE) continue;
    slope += rest;
    groups = groupLevel(words, slope);
  }
  return groups.map((group) => group.map(({ word }) => word));
}

/** Each word joins the line whose nearest word to its left lies level with it. */
function groupLevel(words: Word[], slope: number): Placed[][] {
  const placed = words.map((word) => ({
    word,
    level: centreY(word.bbox) - slope * centreX(word.bbox),
    height: Math.max(word.bbox.height * 0.6, word.bbox.height - Math.abs(slope) * word.bbox.width),
  }));
  const groups = new OpenLines(placed);
  for (const word of placed.sort((a, b) => a.word.bbox.x - b.word.bbox.x)) groups.add(word);
  return groups.all.sort((a, b) => meanLevel(a) - meanLevel(b));
}

/**
 * Pixels by which the lines still fall for each pixel to the right: the median over neighbours on a line. `nearby`: words
 * of one phrase, which belong together however skewed the page is; else those far apart, which measure finely.
 */
function residualSlope(groups: Placed[][], nearby: boolean): number {
  const slopes: { slope: number; weight: number }[] = [];
  for (const group of groups) {
    for (const [index, { word, level, height }] of group.entries()) {
      const next = group[index + 1];
      if (!next) continue;
      const gap = next.word.bbox.x - right(word.bbox);
      const run = centreX(next.word.bbox) - centreX(word.bbox);
      // Words of one detected line may share its box: over the gaps, only neighbours that were found apart tell of skew.
      if (nearby ? gap > height || run < height : run < height * FAR_RUN || next.level === level) continue;
      slopes.push({ slope: (next.level - level) / run, weight: run });
    }
  }
  if (slopes.length < MIN_SAMPLES) return 0;
  const slope = weightedMedian(slopes.map((s) => ({ value: s.slope, weight: s.weight })));
  const spread = weightedMedian(slopes.map((s) => ({ value: Math.abs(s.slope - slope), weight: s.weight })));
  return spread <= Math.max(MAX_SPREAD, Math.abs(slope) / 2) ? slope : 0;
}

function weightedMedian(values: { value: number; weight: number }[]): number {
  const ordered = [...values].sort((a, b) => a.value - b.value);
  const half = ordered.reduce((sum, { weight }) => sum + weight, 0) / 2;
  let seen = 0;
  return ordered.find(({ weight }) => (seen += weight) >= half)?.value ?? 0;
}

const meanLevel = (group: Placed[]): number => group.reduce((sum, { level }) => sum + level, 0) / group.length;

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
