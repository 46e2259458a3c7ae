import type { Line } from '../layout/lines.ts';
import type { Word } from '../types.ts';
import { toZoneText } from './alphabet.ts';
import type { ZoneLine } from './types.ts';

const SHORTEST = 22;
const LONGEST = 52;
/** More lines of this kind are not a document's; a zone is at the foot of its page. */
const MOST_LINES = 60;

/**
 * Lines that may belong to a zone: long, in capitals and digits, with fillers or digits enough. Print beside the zone
 * (a signature, the edge of a page) is left out word by word; a zone's line that was read as two is joined.
 */
export function zoneLines(lines: Line[]): ZoneLine[] {
  const found: ZoneLine[] = [];
  const rows = new Map<number, number>();
  for (const line of lines) {
    const row = rows.get(line.page) ?? 0;
    rows.set(line.page, row + 1);
    const words = zoneWords(line.words);
    if (words.length === 0) continue;
    const text = toZoneText(words.map((word) => word.text).join(' '));
    const last = found.at(-1);
    if (last && isContinuation(last, words, text, row)) {
      found[found.length - 1] = joined(last, { text, words, page: line.page, row });
    } else if (looksLikeZone(text)) found.push({ text, words, page: line.page, row });
    else if (text.length >= 8 && /<|\d{6}/.test(text)) found.push({ text, words, page: line.page, row });
  }
  return found.filter((line) => looksLikeZone(line.text)).slice(-MOST_LINES);
}

/** The words from the first to the last that can be of a zone. */
function zoneWords(words: Word[]): Word[] {
  const fits = words.map((word) => isZoneWord(word.text));
  const first = fits.indexOf(true);
  if (first < 0) return [];
  return words.slice(first, fits.lastIndexOf(true) + 1);
}

function isZoneWord(text: string): boolean {
  const zone = toZoneText(text);
  const small = text.match(/\p{Ll}/gu)?.length ?? 0;
  if (zone.includes('<')) return small <= 3 || small < text.length / 4;
  return small <= 1 && /^[A-Z0-9]+$/.test(zone) && zone.length >= text.length * 0.8;
}

function looksLikeZone(text: string): boolean {
  if (text.length < SHORTEST || text.length > LONGEST) return false;
  const fillers = text.match(/</g)?.length ?? 0;
  const digits = text.match(/\d/g)?.length ?? 0;
  return fillers >= 2 || /[KLC]{4,}/.test(text) || digits >= 14;
}

/** The right half of a line whose halves were read as two lines: it starts where the left half ends. */
function isContinuation(last: ZoneLine, words: Word[], text: string, row: number): boolean {
  const left = last.words[0]!.bbox;
  const end = last.words.at(-1)!.bbox;
  const start = words[0]!.bbox;
  const apart = start.x - (end.x + end.width);
  const beside = last.text.length < 30 && last.text.length + text.length <= LONGEST && row - last.row <= 2;
  const level = Math.abs(start.y - end.y) < Math.min(start.height, end.height);
  const before = left.x - (words.at(-1)!.bbox.x + words.at(-1)!.bbox.width);
  return beside && level && (inReach(apart, start.height) || inReach(before, start.height));
}

const inReach = (gap: number, height: number): boolean => gap > -height / 2 && gap < height * 2;

function joined(a: ZoneLine, b: ZoneLine): ZoneLine {
  const [left, right] = a.words[0]!.bbox.x <= b.words[0]!.bbox.x ? [a, b] : [b, a];
  return { text: left.text + right.text, words: [...left.words, ...right.words], page: a.page, row: a.row };
}
