import { asLetters } from './alphabet.ts';
import { checkFits, FILLER } from './check-digit.ts';
import { isCountryCode } from './countries.ts';
import { birthDate, expiryDate } from './dates.ts';
import { type CheckedField, repairDigits, repairMixed } from './repair.ts';

/** Birth, sex and expiry with their check digits: the part of a data line that no other text looks like. */
export interface DateAnchor {
  /** Position of the birth date. */
  at: number;
  /** Where the country code before it starts: the end of the document number. */
  start: number;
  /** Behind the expiry's check digit. */
  end: number;
  birth: CheckedField;
  sex: 'M' | 'F' | 'X';
  expiry: CheckedField;
  nationality: string;
  score: number;
}

const ANCHOR_LENGTH = 15;
const SEX: Record<string, 'M' | 'F' | 'X'> = {
  M: 'M',
  N: 'M',
  H: 'M',
  F: 'F',
  P: 'F',
  E: 'F',
  X: 'X',
  K: 'X',
  C: 'X',
  '<': 'X',
};

/**
 * The best place for `YYMMDD c s YYMMDD c` in a line. `nationality` tells on which side the country code stands: before
 * it (TD2, TD3, visas) or after it (TD1). Undefined where no place has two dates and a check digit, or a country, beside.
 */
export function findAnchor(text: string, nationality: 'before' | 'after', expected: number): DateAnchor | undefined {
  let best: DateAnchor | undefined;
  for (let at = 0; at + ANCHOR_LENGTH <= text.length; at++) {
    const anchor = anchorAt(text, at, nationality);
    if (!anchor) continue;
    anchor.score -= Math.abs(at - expected) * 0.3;
    if (!best || anchor.score > best.score) best = anchor;
  }
  return best;
}

function anchorAt(text: string, at: number, side: 'before' | 'after'): DateAnchor | undefined {
  // A lone filler between digits, an open sex, is lost more often than any other character.
  const lost = `${text.slice(0, at + 7)}${FILLER}${text.slice(at + 7)}`;
  const whole = datesAt(text, at, side, text);
  if (whole) return whole;
  const filled = /\d/.test(text[at + 7] ?? '') ? datesAt(lost, at, side, text) : undefined;
  if (!filled?.birth.verified || !filled.expiry.verified) return undefined;
  return { ...filled, end: filled.end - 1, score: filled.score - 2 };
}

function datesAt(text: string, at: number, side: 'before' | 'after', original: string): DateAnchor | undefined {
  const end = at + ANCHOR_LENGTH;
  const { code, start } = side === 'before' ? codeBefore(original.slice(0, at)) : codeBehind(text.slice(end), at);
  const sex = SEX[text[at + 7]!];
  if (code.length < 3 || sex === undefined) return undefined;
  const birth = repairDigits(text.slice(at, at + 6), text[at + 6]!);
  const expiry = repairDigits(text.slice(at + 8, at + 14), text[at + 14]!);
  if (!birth || !expiry || !isDate(birth.value) || !isDate(expiry.value)) return undefined;
  // A run of fillers is no zone: one of the dates is known in full.
  if (birth.value.includes(FILLER) && expiry.value.includes(FILLER)) return undefined;
  const nationality = asLetters(code);
  if (!/^[A-Z][A-Z<]{2}$/.test(nationality)) return undefined;
  const known = isCountryCode(nationality);
  if (!birth.verified && !expiry.verified && !known) return undefined;
  const score =
    (birth.verified ? 3 : 0) +
    (expiry.verified ? 3 : 0) +
    (known ? 2 : 0) -
    (/[MF<X]/.test(text[at + 7]!) ? 0 : 1) -
    0.2 * (birth.edits + expiry.edits);
  return { at, start, end, birth, sex, expiry, nationality, score };
}

/** Germany's code is D with two fillers, of which a reader may lose or double one. */
function codeBefore(head: string): { code: string; start: number } {
  const german = /D<{1,4}$/.exec(head);
  if (german && head.length - german.index !== 3) return { code: 'D<<', start: german.index };
  return { code: head.slice(-3), start: Math.max(0, head.length - 3) };
}

const codeBehind = (tail: string, at: number): { code: string; start: number } => ({
  code: /^D<(?!<)/.test(tail) ? 'D<<' : tail.slice(0, 3),
  start: at,
});

/** Parts of a date that aren't known are fillers (ICAO Doc 9303 part 3, section 4.8). */
const isDate = (text: string): boolean =>
  text.includes(FILLER)
    ? /^(?:\d{4}<<|\d{2}<{4}|<{6})$/.test(text)
    : expiryDate(text) !== undefined || birthDate(text, undefined) !== undefined;

/** The document number and its check digit before the nationality: ten characters, with fillers lost or added. */
export function readNumber(raw: string): CheckedField {
  const head = fitLength(raw.slice(0, -1), 9);
  const check = raw.at(-1) ?? FILLER;
  const plain = repairMixed(head, check);
  if (plain.verified || raw.length === 10) return plain;
  // A character too many at the start is the edge of the card.
  const tail = repairMixed(raw.slice(-10, -1).padEnd(9, FILLER), check);
  return tail.verified ? tail : plain;
}

/** Fillers are miscounted, other characters are not: a part is brought to its length in its longest run of fillers. */
export function fitLength(text: string, length: number): string {
  let fitted = text;
  while (fitted.length > length) {
    const run = longestRun(fitted);
    if (run === undefined) return fitted.slice(0, length);
    fitted = fitted.slice(0, run) + fitted.slice(run + 1);
  }
  if (fitted.length === length) return fitted;
  const run = longestRun(fitted);
  const missing = FILLER.repeat(length - fitted.length);
  return run === undefined ? fitted + missing : fitted.slice(0, run) + missing + fitted.slice(run);
}

function longestRun(text: string): number | undefined {
  const runs = [...text.matchAll(/<+/g)].sort((a, b) => b[0].length - a[0].length);
  return runs[0]?.index;
}

/** The optional data: personal number and the like. Its last fillers may have been read as letters. */
export function readOptional(raw: string, length: number): string {
  return fitLength(
    raw.replace(/<[KLC]{1,3}(?=<)/g, (run) => FILLER.repeat(run.length)),
    length,
  );
}

/** The composite check digit over the parts that it covers. */
export const compositeFits = (parts: string, digit: string): boolean => checkFits(parts, digit) && digit !== FILLER;
