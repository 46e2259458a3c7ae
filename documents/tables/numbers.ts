import type { Word } from '../types.ts';
import { type DecimalMark, type Money, parseMoney } from '../values/money.ts';

/** A number of a line: its words are one, or several that the reader or the typesetting parted ("€ 1 250,00 CR"). */
export interface NumberToken extends Money {
  words: Word[];
  percent: boolean;
  left: number;
  right: number;
  /** Letters follow so closely that it is part of a text ("3 mm", "2 x"). */
  beforeText: boolean;
  /** Letters stand as closely before it ("Type 4", "A4"). */
  afterText: boolean;
}

const SIGN =
  /^(?:[-+−–(]?(?:RM|MYR|EUR|USD|GBP|ZAR|SGD|CHF|AUD|CAD|NZD|INR|AED|KES|NGN|BWP|NAD|SEK|NOK|DKK|PLN|R|Rs\.?|Rp\.?|kr\.?|[€£$¥₹₦฿₱]|[A-Z]{1,3}\$)|[-+−–(=])$/;
/** Behind an amount, close by: "12.00 CR", "€", "12,00-", "%", the unit of a quantity is none of them. */
const TRAILER = /^(?:[-−–)%€£]|CR\.?|DR\.?|EUR|USD|GBP|SR|ZR|ZRL|S|H|\+)$/i;
const SPACES = /[\u00a0\u2007\u2009\u202f]/g;

/** In heights: thousands stand nearer than the words of a text, a sign may stand at the other end of its cell. */
const THOUSANDS_GAP = 0.45;
/** Where a comma is the decimal mark, thousands are parted by spaces; a narrow figure one makes them look wider. */
const SPACED_THOUSANDS_GAP = 0.58;
const TEXT_GAP = 0.75;
const SIGN_GAP = 4;
const TRAILER_GAP = 1;

const right = (word: Word): number => word.bbox.x + word.bbox.width;
const gapOf = (a: Word, b: Word): number => (b.bbox.x - right(a)) / Math.max(1, Math.min(a.bbox.height, b.bbox.height));

/** The numbers of a line, left to right. */
export function numberTokens(words: Word[], decimal: DecimalMark): NumberToken[] {
  const tokens: NumberToken[] = [];
  for (let i = 0; i < words.length;) {
    const token = tokenAt(words, i, decimal);
    if (!token) {
      i++;
      continue;
    }
    tokens.push(token);
    i = words.indexOf(token.words.at(-1)!) + 1;
  }
  return tokens;
}

function tokenAt(words: Word[], index: number, decimal: DecimalMark): NumberToken | undefined {
  const first = words[index]!;
  const isSign = SIGN.test(first.text);
  const from = isSign ? index + 1 : index;
  if (isSign && (!words[from] || gapOf(first, words[from]) > SIGN_GAP)) return undefined;
  const digits = words[from]!;
  if (!/\d/.test(digits.text)) return undefined;
  let until = from + 1;
  let text = plain(digits);
  while (until < words.length && continuesNumber(text, words[until - 1]!, words[until]!, decimal))
    text += plain(words[until++]!);
  const money = parseMoney((isSign ? first.text : '') + text.replace(/%$/, ''), decimal);
  if (!money) return undefined;
  let percent = text.endsWith('%');
  const next = words[until];
  if (next && TRAILER.test(next.text) && gapOf(words[until - 1]!, next) < TRAILER_GAP) {
    percent ||= next.text === '%';
    const marked = parseMoney(
      `${isSign ? first.text : ''}${text}${/^[A-Z]/i.test(next.text) ? ' ' : ''}${next.text}`,
      decimal,
    );
    if (marked && !percent) Object.assign(money, marked);
    until++;
  }
  const taken = words.slice(index, until);
  return {
    ...money,
    words: taken,
    percent,
    left: first.bbox.x,
    right: right(taken.at(-1)!),
    ...neighbours(words, index, until),
  };
}

const plain = (word: Word): string => word.text.replace(SPACES, '');

/** "1 250,00", "1. 250,00", "12 ,50": digits that were parted inside one number. */
function continuesNumber(text: string, last: Word, next: Word, decimal: DecimalMark): boolean {
  const gap = gapOf(last, next);
  const tail = plain(next);
  const spaced = decimal === ',' && /^\d{3},\d{2}$/.test(tail);
  if (gap > (spaced ? SPACED_THOUSANDS_GAP : THOUSANDS_GAP)) return false;
  if (/^\d{1,3}$/.test(text) || /[.,]$/.test(text))
    return /^\d{3}(?:[.,]\d{2,3})*$/.test(tail) || (/[.,]$/.test(text) && /^\d{2}$/.test(tail));
  return /^[.,]\d{2}$/.test(tail) && /\d$/.test(text);
}

function neighbours(words: Word[], from: number, until: number): { beforeText: boolean; afterText: boolean } {
  const before = words[from - 1];
  const after = words[until];
  const letters = (word: Word): boolean => /\p{L}{2}/u.test(word.text);
  return {
    afterText: before !== undefined && letters(before) && gapOf(before, words[from]!) < TEXT_GAP,
    beforeText: after !== undefined && letters(after) && gapOf(words[until - 1]!, after) < TEXT_GAP,
  };
}
