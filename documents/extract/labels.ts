import type { Line } from '../layout/lines.ts';
import type { Word } from '../types.ts';
import { wordsAt } from './date-field.ts';

export interface LabelledValue<T> {
  value: T;
  words: Word[];
  page: number;
  line: Line;
  /** Right of the label on its line, or under it. */
  place: 'right' | 'below';
}

/** Reads a value at the start of a text; `length` counts from the text's beginning. */
export type ValueReader<T> = (text: string) => { value: T; index: number; length: number } | undefined;

const LINES_BELOW = 3;
const SEPARATOR = /^[\s:#.;=–-]*/;

/** Every value that stands right of a label or in the cell under it, in reading order; right of it is tried first. */
export function labelledValues<T>(lines: Line[], label: RegExp, read: ValueReader<T>): LabelledValue<T>[] {
  const found: LabelledValue<T>[] = [];
  const global = new RegExp(label.source, label.flags.includes('g') ? label.flags : `${label.flags}g`);
  for (const [position, line] of lines.entries()) {
    for (const match of line.text.matchAll(global)) {
      const value = readRight(line, match.index + match[0].length, read) ?? readBelow(lines, position, match, read);
      if (value) found.push(value);
    }
  }
  return found;
}

function readRight<T>(line: Line, from: number, read: ValueReader<T>): LabelledValue<T> | undefined {
  const rest = line.text.slice(from);
  const skipped = SEPARATOR.exec(rest)?.[0].length ?? 0;
  const result = read(rest.slice(skipped));
  if (!result) return undefined;
  const words = wordsAt(line, from + skipped + result.index, result.length);
  return { value: result.value, words, page: line.page, line, place: 'right' };
}

function readBelow<T>(
  lines: Line[],
  position: number,
  match: RegExpMatchArray,
  read: ValueReader<T>,
): LabelledValue<T> | undefined {
  const line = lines[position]!;
  const label = wordsAt(line, match.index ?? 0, match[0].length);
  const left = label[0]?.bbox.x ?? 0;
  const right = label.length > 0 ? label.at(-1)!.bbox.x + label.at(-1)!.bbox.width : 0;
  const height = line.bbox.height;
  for (const below of lines.slice(position + 1, position + 1 + LINES_BELOW)) {
    if (below.page !== line.page || below.bbox.y - (line.bbox.y + height) > height * 2.5) break;
    const cell = below.segments.find((s) => s.bbox.x < right + height && s.bbox.x + s.bbox.width > left - height * 0.5);
    if (!cell) continue;
    const result = read(cell.text);
    if (!result || result.index > 0) return undefined;
    const words = cell.words.slice(0, Math.max(1, cell.text.slice(0, result.length).split(' ').length));
    return { value: result.value, words, page: below.page, line: below, place: 'below' };
  }
  return undefined;
}

/** A document or order number: at least one digit, no date, no plain amount. */
export const readIdentifier: ValueReader<string> = (text) => {
  const match = /^(?:No\.?:?\s*|Nr\.?:?\s*|#\s*)?(?<id>[A-Z0-9][A-Z0-9/_.-]*(?:\s(?=\d{3,}\b)\d{3,})?)/i.exec(text);
  const id = match?.groups?.['id']?.replace(/[.,:-]+$/, '');
  if (!match || !id || !/\d/.test(id) || /^\d{1,2}[./-]\d{1,2}[./-]\d{2,4}$/.test(id) || /^\d+[.,]\d{2}$/.test(id))
    return undefined;
  return { value: id, index: match[0].length - (match.groups?.['id']?.length ?? 0), length: id.length };
};
