import type { Line, Segment } from '../layout/lines.ts';
import type { Word } from '../types.ts';
import { findDates } from '../values/dates.ts';
import { wordsAt } from './date-field.ts';

export interface LabelledValue<T> {
  value: T;
  words: Word[];
  page: number;
  line: Line;
  /** Right of the label on its line, or under it. */
  place: 'right' | 'below';
  /** The label as the page prints it. */
  label: string;
  labelWords: Word[];
}

/** Reads a value at the start of a text; `length` counts from the text's beginning. */
export type ValueReader<T> = (text: string) => Reading<T> | undefined;

interface Reading<T> {
  value: T;
  index: number;
  length: number;
}

const LINES_BELOW = 3;
/** A value stands so many line heights under its label at most. */
const BELOW_GAP = 2.5;
const CENTRED_REACH = 4;
const SEPARATOR = /^[\s:#.;=|–—-]*/;
// eslint-disable-next-line no-control-regex -- every character of ASCII is meant
const ASCII = /^[\x00-\x7f]*$/;
const UNMARKED: Record<string, string> = {
  ø: 'o',
  æ: 'a',
  å: 'a',
  ł: 'l',
  đ: 'd',
  ı: 'i',
  '’': "'",
  '‘': "'",
  '\u00a0': ' ',
};

/**
 * Lower case without accents, character for character, so that positions stay valid: labels are written once and match
 * whether the reader saw the accents or not.
 */
export function fold(text: string): string {
  if (ASCII.test(text)) return text.toLowerCase();
  let folded = '';
  for (const character of text) {
    const lower = character.toLowerCase();
    const plain = UNMARKED[lower] ?? lower.normalize('NFD')[0] ?? lower;
    folded += plain.length === character.length ? plain : character;
  }
  return folded;
}

/** Every value that stands right of a label or in the cell under it, in reading order; right of it is tried first. */
export function labelledValues<T>(lines: Line[], label: RegExp, read: ValueReader<T>): LabelledValue<T>[] {
  const found: LabelledValue<T>[] = [];
  for (const [position, line] of lines.entries()) {
    for (const match of labelMatches(line.text, label)) {
      const value = readRight(line, match, read) ?? readBelow(lines, position, match, read);
      if (!value) continue;
      const printed = line.text.slice(match.index, match.index + match.length);
      found.push({ ...value, label: printed, labelWords: wordsAt(line, match.index, match.length) });
    }
  }
  return found;
}

/** The same patterns are asked for on every line: compiling one takes longer than running it. */
const globals = new WeakMap<RegExp, RegExp>();

function globalOf(label: RegExp): RegExp {
  const known = globals.get(label);
  if (known) return known;
  const global = new RegExp(label.source, label.flags.includes('g') ? label.flags : `${label.flags}g`);
  globals.set(label, global);
  return global;
}

interface LabelMatch {
  index: number;
  length: number;
}

/** Where a label stands in a text, read with and without its accents. */
export function labelMatches(text: string, label: RegExp): LabelMatch[] {
  const global = globalOf(label);
  const found: LabelMatch[] = [];
  for (const reading of new Set([fold(text), text])) {
    for (const match of reading.matchAll(global)) {
      if (match[0].length === 0 || found.some((other) => other.index === match.index)) continue;
      found.push({ index: match.index, length: match[0].length });
    }
  }
  return found.sort((a, b) => a.index - b.index);
}

type Placed<T> = Omit<LabelledValue<T>, 'label' | 'labelWords'>;

function readRight<T>(line: Line, match: LabelMatch, read: ValueReader<T>): Placed<T> | undefined {
  const from = match.index + match.length;
  const rest = line.text.slice(from);
  const skipped = SEPARATOR.exec(rest)?.[0].length ?? 0;
  const whole = rest.slice(skipped);
  const free = read(whole);
  if (!free) return undefined;
  const result = withinCell(line, from + skipped, whole, free, read);
  const words = wordsAt(line, from + skipped + result.index, result.length);
  return { value: result.value, words, page: line.page, line, place: 'right' };
}

/** A value that runs over a gap between two cells has taken words of the next: "INV-1044    480 Harbor Road". */
function withinCell<T>(line: Line, from: number, text: string, free: Reading<T>, read: ValueReader<T>): Reading<T> {
  const words = wordsAt(line, from + free.index, free.length);
  const cell = line.segments.find((segment) => words[0] !== undefined && segment.words.includes(words[0]));
  const outside = cell && words.find((word) => !cell.words.includes(word));
  if (!cell || !outside) return free;
  const start = words[0]!;
  const inside = cell.words.slice(cell.words.indexOf(start)).map((word) => word.text);
  const before = text.slice(0, free.index);
  return read(before + inside.join(' ')) ?? free;
}

function readBelow<T>(lines: Line[], position: number, match: LabelMatch, read: ValueReader<T>): Placed<T> | undefined {
  const line = lines[position]!;
  const label = wordsAt(line, match.index, match.length);
  if (label.length === 0) return undefined;
  const left = label[0]!.bbox.x;
  const right = label.at(-1)!.bbox.x + label.at(-1)!.bbox.width;
  const height = Math.max(...label.map((word) => word.bbox.height));
  const bottom = Math.max(...label.map((word) => word.bbox.y + word.bbox.height));
  for (const below of lines.slice(position + 1, position + 1 + LINES_BELOW)) {
    if (below.page !== line.page || below.bbox.y - bottom > height * BELOW_GAP) break;
    const cell = below.segments.find((s) => s.bbox.x < right + height && s.bbox.x + s.bbox.width > left - height * 0.5);
    if (!cell) continue;
    return readCell(cell, below, left - height * 0.5, read);
  }
  return undefined;
}

/** Narrow tables have no gaps between their cells: then the value begins at the first word under the label. */
function readCell<T>(cell: Segment, line: Line, left: number, read: ValueReader<T>): Placed<T> | undefined {
  const under = cell.words.findIndex((word) => word.bbox.x + word.bbox.width > left);
  // A value that is centred under a short label begins left of it, but not by much.
  const centred = cell.bbox.x > left - CENTRED_REACH * cell.bbox.height;
  const starts = cell.bbox.x >= left ? [0] : centred ? [under, 0] : [under];
  for (const start of starts) {
    if (start < 0) continue;
    const text = cell.words
      .slice(start)
      .map((word) => word.text)
      .join(' ');
    const result = read(text);
    if (!result || result.index > 4) continue;
    const count = Math.max(1, text.slice(0, result.index + result.length).split(' ').length);
    const words = cell.words.slice(start, start + count);
    return { value: result.value, words, page: line.page, line, place: 'below' };
  }
  return undefined;
}

/** "IN 916183" and "FT 2024/77" are one number: letters of a series, then its digits. */
const IDENTIFIER =
  /^(?:(?:N[or](?!\p{L})\.?|N[°º]\.?|#)\s*:?\s*)?(?![A-Z]{6,}\s\d)(?<id>[A-Z]{2,3}\s[A-Z\d]{1,8}\/\d+(?!\p{L})|[A-Z]{1,5}[-/]?\s(?=\d{3,})\d[\d/.-]*\d(?!\p{L})|[A-Z0-9][A-Z0-9/_.\-–]*(?:\s(?=\d{3,}\b)\d{3,}(?![/.-]))?)(?!\p{L})/iu;

/** A document or order number: at least one digit, no date, no plain amount. */
export const readIdentifier: ValueReader<string> = (text) => {
  const match = IDENTIFIER.exec(text);
  const id = match?.groups?.['id']?.replace(/[.,:–-]+$/, '');
  if (!match || !id || !/\d/.test(id) || /^\d{1,3}(?:[.,]\d{3})*[.,]\d{2}$/.test(id)) return undefined;
  const index = match[0].length - (match.groups?.['id']?.length ?? 0);
  const date = findDates(text.slice(index, index + 24))[0];
  // "2024-05-17" is a date, "2024-05-17-003" a number that begins like one.
  if (date?.index === 0 && date.length >= id.length) return undefined;
  return { value: repairIdentifier(id), index, length: id.length };
};

/** OCR reads the letters of a series as digits and small letters: "lNV-20031", "P0-5512", "INV- 20031". */
const repairIdentifier = (id: string): string =>
  id
    .replace(/^[l1|](?=NV?[-/\d])/, 'I')
    .replace(/^P0(?=[-/])/, 'PO')
    .replace(/(?<=^[A-Z]*)l(?=[A-Z]+[-/\d])/, 'I')
    .replace(/(?<=[-/])\s/g, '');
