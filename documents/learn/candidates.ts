import type { Box, Word } from '../types.ts';
import { unionBox } from '../layout/lines.ts';
import type { PageView, ViewLine } from './page-view.ts';
import { type Locale, occurrences } from './values.ts';
import type { ValueKind } from './types.ts';

/** A part of one line's text. */
export interface Piece {
  line: ViewLine;
  start: number;
  end: number;
}

/** A place on the pages that may hold a field's value. */
export interface Candidate {
  pieces: Piece[];
  value: unknown;
}

/** How long the values of a field are. */
export interface Extent {
  words: readonly [number, number];
  lines: readonly [number, number];
  /** Share of them that begin and end with a phrase of their line; default 1. */
  starts?: number;
  ends?: number;
}

/** Of values that often begin or end inside a phrase every place in it is looked at. */
const OFTEN_INSIDE = 0.6;
/** Below so many words a value may stand anywhere within a phrase; longer ones begin and end with one. */
const FREE_WORDS = 3;
const MOST_WORDS = 60;
const MOST_LINES = 8;
/** Line gaps in heights that a value of several lines is written over. */
const MAX_GAP = 1.6;
/** More places than any page has that is not made to be slow. */
const MOST_CANDIDATES = 6000;

/** The same places are asked for by many fields: they are found once for a view and what is asked of it. */
const found = new WeakMap<PageView, Map<string, Candidate[]>>();

export function candidatesOf(view: PageView, kind: ValueKind, locale: Locale, extent: Extent): Candidate[] {
  const { words, lines, starts = 1, ends = 1 } = extent;
  const inside = [starts < OFTEN_INSIDE, ends < OFTEN_INSIDE];
  const key = JSON.stringify([kind, locale, ...(kind === 'text' ? [words, lines, inside] : [])]);
  const own = found.get(view) ?? new Map<string, Candidate[]>();
  found.set(view, own);
  const known = own.get(key);
  if (known) return known;
  const candidates = findCandidates(view, kind, locale, extent);
  own.set(key, candidates);
  return candidates;
}

function findCandidates(view: PageView, kind: ValueKind, locale: Locale, extent: Extent): Candidate[] {
  const candidates: Candidate[] = [];
  for (const line of view.lines) {
    if (candidates.length >= MOST_CANDIDATES) break;
    if (kind === 'text') candidates.push(...textsAt(view, line, extent));
    else
      for (const { start, end, value } of occurrences(kind, line.text, locale))
        candidates.push({ pieces: [{ line, start, end }], value });
  }
  return candidates.slice(0, MOST_CANDIDATES);
}

function textsAt(view: PageView, line: ViewLine, { words, lines, starts = 1, ends = 1 }: Extent): Candidate[] {
  const inside = { starts: starts < OFTEN_INSIDE, ends: ends < OFTEN_INSIDE };
  const pieces = spansOf(line, lines[1] > 1 ? [1, words[1]] : words, inside);
  const blocks = pieces.flatMap((piece) =>
    lines[1] <= 1 ? [[piece]] : blocksFrom(view, piece).filter((block) => fits(block.length, lines)),
  );
  return blocks.map((block) => ({ pieces: block, value: undefined }));
}

const fits = (count: number, [least, most]: readonly [number, number]): boolean => count >= least && count <= most;

/** Spans of atoms within the number of words that the field's values have; long ones are phrases unless said otherwise. */
export function spansOf(
  line: ViewLine,
  [least, most]: readonly [number, number],
  inside = { starts: false, ends: false },
): Piece[] {
  const { atoms } = line;
  const free = most <= FREE_WORDS;
  const limit = Math.min(MOST_WORDS, most + 1);
  const pieces: Piece[] = [];
  for (const [from, first] of atoms.entries()) {
    if (!free && !inside.starts && !beginsPhrase(line, from)) continue;
    for (let to = from; to < atoms.length; to++) {
      const last = atoms[to]!;
      const count = last.word - first.word + 1;
      if (count > limit) break;
      if (count < least - 1 || (!free && !inside.ends && atoms[to + 1]?.segment === last.segment)) continue;
      pieces.push({ line, start: first.start, end: last.end });
    }
  }
  return pieces;
}

function beginsPhrase({ atoms, text }: ViewLine, at: number): boolean {
  const atom = atoms[at]!;
  const before = atoms[at - 1];
  return before?.segment !== atom.segment || /[:=#.\-–)]$/.test(text.slice(before.start, before.end));
}

/** The piece alone, with the line under it, with two … */
export function blocksFrom(view: PageView, first: Piece, most = MOST_LINES): Piece[][] {
  const blocks: Piece[][] = [[first]];
  let block = [first];
  while (block.length < most) {
    const next = pieceBelow(view, block);
    if (!next) break;
    block = [...block, next];
    blocks.push(block);
  }
  return blocks;
}

function pieceBelow(view: PageView, block: Piece[]): Piece | undefined {
  const last = block.at(-1)!;
  const box = unionBox(block.map(boxOf));
  const bottom = boxOf(last);
  for (const line of view.lines.slice(last.line.index + 1, last.line.index + 4)) {
    if (line.page !== last.line.page) return undefined;
    const under = line.segments.filter((segment) => {
      const { x, y, width } = segment.bbox;
      const gap = y - (bottom.y + bottom.height);
      return x < box.x + box.width && x + width > box.x && gap < bottom.height * MAX_GAP && gap > -bottom.height;
    });
    if (under.length === 0) continue;
    const from = line.words.indexOf(under[0]!.words[0]!);
    const to = line.words.indexOf(under.at(-1)!.words.at(-1)!);
    return { line, start: line.offsets[from]!, end: line.offsets[to]! + line.words[to]!.text.length };
  }
  return undefined;
}

/** The words that a piece takes letters of. */
export function wordsOf({ line, start, end }: Piece): Word[] {
  return line.words.filter((word, index) => {
    const offset = line.offsets[index]!;
    return offset < end && offset + word.text.length > start;
  });
}

/** Of a word that holds label and value, the value's share. */
export function boxOf(piece: Piece): Box {
  const boxes = wordsOf(piece).map((word) => partOf(word, piece));
  return boxes.length === 0 ? piece.line.bbox : unionBox(boxes);
}

function partOf(word: Word, { line, start, end }: Piece): Box {
  const offset = line.offsets[line.words.indexOf(word)]!;
  const length = Math.max(1, word.text.length);
  const from = Math.max(0, start - offset) / length;
  const to = Math.min(length, end - offset) / length;
  return { ...word.bbox, x: word.bbox.x + from * word.bbox.width, width: Math.max(1, (to - from) * word.bbox.width) };
}

export const textOfPiece = ({ line, start, end }: Piece): string => line.text.slice(start, end);

export const printedText = (pieces: Piece[], joiner = ' '): string => pieces.map(textOfPiece).join(joiner).trim();
