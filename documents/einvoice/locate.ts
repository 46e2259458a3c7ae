import { type Line, layoutLines, unionBox } from '../layout/lines.ts';
import type { Box, PageBox, PageText, Word } from '../types.ts';
import { findDates } from '../values/dates.ts';

/** Words on one line that spell a value. */
export interface Place {
  line: Line;
  words: Word[];
}

/** Where values stand on the pages of a document. Made once for a document; every search is a scan of its lines. */
export class PageIndex {
  readonly #lines: { line: Line; text: string; starts: number[]; ends: number[] }[];

  constructor(pages: PageText[]) {
    this.#lines = layoutLines([...pages].sort((a, b) => a.page - b.page)).map(indexed);
  }

  /** All places of a text, letter case and punctuation aside; a match begins and ends at a word's end. */
  text(value: string): Place[] {
    const wanted = plain(value);
    if (wanted === '') return [];
    const places: Place[] = [];
    for (const { line, text, starts, ends } of this.#lines) {
      for (let at = text.indexOf(wanted); at >= 0; at = text.indexOf(wanted, at + 1)) {
        const [first, last] = [starts.indexOf(at), ends.indexOf(at + wanted.length)];
        if (first >= 0 && last >= first) places.push({ line, words: line.words.slice(first, last + 1) });
      }
    }
    return places;
  }

  /** All places of an amount in any national form: 1234.5 as 1.234,50, 1,234.50, 1 234,50, 1'234.50, 1234.50. */
  amount(value: number): Place[] {
    const wanted = amountForms(value);
    const places: Place[] = [];
    for (const { line } of this.#lines) {
      for (let first = 0; first < line.words.length; first++) {
        let text = '';
        // A thousands space makes up to three words of one amount; its currency may be a word of its own.
        for (let last = first; last < Math.min(line.words.length, first + 3); last++) {
          text += line.words[last]!.text;
          if (!wanted.has(bareAmount(text))) continue;
          places.push({ line, words: line.words.slice(first, last + 1) });
          break;
        }
      }
    }
    return places.filter(({ words }) => /\d/.test(words[0]!.text) && /\d/.test(words.at(-1)!.text));
  }

  /** All places of an ISO date, in figures or with the month's name. */
  date(iso: string): Place[] {
    const places: Place[] = [];
    for (const { line } of this.#lines) {
      const match =
        findDates(line.text, 'dmy').find((date) => date.iso === iso) ??
        findDates(line.text, 'mdy').find((date) => date.iso === iso);
      if (match) places.push({ line, words: wordsIn(line, match.index, match.index + match.length) });
    }
    return places.filter(({ words }) => words.length > 0);
  }
}

function indexed(line: Line): { line: Line; text: string; starts: number[]; ends: number[] } {
  let text = '';
  const starts: number[] = [];
  const ends: number[] = [];
  for (const word of line.words) {
    const letters = plain(word.text);
    starts.push(letters === '' ? -1 : text.length);
    text += letters;
    ends.push(letters === '' ? -1 : text.length);
  }
  return { line, text, starts, ends };
}

/** Letters and digits only, without accents: what is left when a name is set in capitals or with other dashes. */
export const plain = (text: string): string =>
  text
    .normalize('NFKD')
    .replace(/[^\p{L}\p{N}]/gu, '')
    .toUpperCase()
    .replaceAll('ß', 'SS');

const bareAmount = (text: string): string =>
  text
    .replace(/[−–]/g, '-')
    .replace(/\p{Sc}|[A-Za-z()*%:]|\s/gu, '')
    .replace(/-$|^-/g, '')
    .replace(/[.,]$/, '');

/** The forms of an amount without its sign: with its own number of decimals, and with at least two. */
function amountForms(value: number): Set<string> {
  const exact = String(Math.abs(value));
  if (!/^\d+(?:\.\d+)?$/.test(exact)) return new Set();
  const [whole = '0', fraction = ''] = exact.split('.');
  const fractions = new Set([fraction, fraction.padEnd(2, '0'), fraction.padEnd(3, '0'), fraction.padEnd(4, '0')]);
  const forms = new Set<string>();
  for (const decimals of fractions) {
    for (const [mark, separators] of [
      ['.', ['', ',', "'", '’']],
      [',', ['', '.', "'", '’']],
    ] as const) {
      for (const separator of separators) {
        const grouped = whole.replace(/\B(?=(?:\d{3})+$)/g, separator);
        forms.add(decimals === '' ? grouped : `${grouped}${mark}${decimals}`);
      }
    }
  }
  return forms;
}

function wordsIn(line: Line, from: number, to: number): Word[] {
  let at = 0;
  return line.words.filter((word) => {
    const start = at;
    at += word.text.length + 1;
    return start < to && start + word.text.length > from;
  });
}

export function boxOf(places: Place[]): PageBox | null {
  const [first] = places;
  if (!first) return null;
  const words = places.filter((place) => place.line.page === first.line.page).flatMap((place) => place.words);
  const box: Box = unionBox(words.map((word) => word.bbox));
  const tenth = (value: number): number => Math.round(value * 10) / 10;
  const [x, y, width, height] = [box.x, box.y, box.width, box.height].map(tenth) as [number, number, number, number];
  return { x, y, width, height, page: first.line.page };
}
