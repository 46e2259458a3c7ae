import { asDigit, asLetters, twinsOf } from './alphabet.ts';
import { checkFits, FILLER } from './check-digit.ts';

export interface CheckedField {
  value: string;
  check: string;
  /** The check digit agrees with the value. */
  verified: boolean;
  /** Characters that were read as others. */
  edits: number;
  /** All readings that agree with the check digit and are as likely. */
  candidates?: string[];
}

/** A date or another field of digits: letters in it can only be misread digits, so the check digit verifies, not chooses. */
export function repairDigits(raw: string, check: string): CheckedField | undefined {
  const digits = Array.from(raw, (character) => (character === FILLER ? FILLER : asDigit(character)));
  if (digits.includes(undefined)) return undefined;
  const value = digits.join('');
  const digit = asDigit(check) ?? check;
  const edits =
    Array.from(raw).filter((character, index) => character !== value[index]).length + (digit === check ? 0 : 1);
  return { value, check: digit, verified: checkFits(value, digit), edits };
}

/** More doubtful characters than this are not a misreading but another text. */
const MAX_EDITS = 3;
/** O, Q or I among the digits of a number. States hardly use them, as they look like digits. */
const IRREGULAR = /\d[OQI]|[OQI]{2}/;

/**
 * A field of letters and digits: of the readings that agree with the check digit, the one with the fewest characters
 * changed. Where several need equally many, none is verified, and the most regular one is given: numbers are letters
 * in front of digits far more often than letters among digits. One reading in ten agrees by chance, and one typeface
 * makes a reader take every 0 for an O: a regular reading that agrees is preferred to one with an O among its digits.
 */
export function repairMixed(raw: string, check: string): CheckedField {
  const digit = check === FILLER ? check : (asDigit(check) ?? check);
  const fits = (value: string): boolean => checkFits(value, digit) && /^[A-Z0-9]/.test(value);
  for (let edits = 0; edits <= MAX_EDITS; edits++) {
    const fitting = readings(raw, edits).filter(fits);
    if (fitting.length === 0) continue;
    const [likeliest] = fitting.sort((a, b) => changesOfClass(a) - changesOfClass(b));
    const regular = IRREGULAR.test(likeliest!) ? regularReadings(raw).find(fits) : undefined;
    const value = regular ?? likeliest!;
    const verified = regular !== undefined || fitting.length === 1;
    const changed = Array.from(raw).filter((character, index) => character !== value[index]).length;
    return { value, check: digit, verified, edits: changed, candidates: regular === undefined ? fitting : [value] };
  }
  return { value: raw, check: digit, verified: false, edits: 0 };
}

const LONGEST_PREFIX = 3;

/** Up to three letters and then digits alone, the reading with the most letters first. */
function regularReadings(raw: string): string[] {
  const body = raw.replace(/<+$/, '');
  const found: string[] = [];
  for (let prefix = LONGEST_PREFIX; prefix >= 0; prefix--) {
    const digits = Array.from(body.slice(prefix), asDigit);
    const head = asLetters(body.slice(0, prefix));
    if (!digits.includes(undefined) && !/[OQI]/.test(head)) found.push(head + digits.join('') + raw.slice(body.length));
  }
  return [...new Set(found)];
}

/** All readings with exactly so many characters changed. */
function readings(raw: string, edits: number, from = 0): string[] {
  if (edits === 0) return [raw];
  const found: string[] = [];
  for (let index = from; index < raw.length; index++) {
    for (const twin of twinsOf(raw[index]!)) {
      const changed = raw.slice(0, index) + twin + raw.slice(index + 1);
      found.push(...readings(changed, edits - 1, index + 1));
    }
  }
  return found;
}

/** How often a letter follows a digit or a digit a letter. */
const changesOfClass = (text: string): number =>
  (text.match(/[A-Z](?=\d)/g)?.length ?? 0) + (text.match(/\d(?=[A-Z])/g)?.length ?? 0) * 1.5;
