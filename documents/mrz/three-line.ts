import { asDigit, asLetter, asLetters } from './alphabet.ts';
import { FILLER } from './check-digit.ts';
import { isCountryCode } from './countries.ts';
import { compositeFits, findAnchor, readOptional } from './data-line.ts';
import { birthDate, expiryDate } from './dates.ts';
import { nameField, readNames } from './names.ts';
import { type CheckedField, repairMixed } from './repair.ts';
import { dateValues, numberValue, personalNumber } from './two-line.ts';
import type { Mrz, ZoneLine } from './types.ts';

/** TD1, the size of a card: three lines of 30 (ICAO Doc 9303 part 5). The first and the third may be missing. */
export function readThreeLines(
  upper: ZoneLine | undefined,
  middle: ZoneLine,
  lower: ZoneLine | undefined,
): Mrz | undefined {
  const anchor = findAnchor(middle.text, 'after', 0);
  if (!anchor || anchor.at > 4) return undefined;
  const head = upper ? readHead(upper.text) : undefined;
  const names = lower ? readNames(lower.text) : undefined;
  const raw = middle.text.slice(anchor.end + 3);
  const digit = asDigit(raw.at(-1) ?? FILLER) ?? FILLER;
  const optional = readOptional(raw.slice(0, -1), 11);
  const { birth, expiry, nationality, sex } = anchor;
  const dates = [birth.value + birth.check, expiry.value + expiry.check];
  const composite = head ? compositeFits(head.line.slice(5) + dates.join('') + optional, digit) : undefined;
  const checks = [head?.number.verified, birth.verified, expiry.verified, composite].filter((c) => c !== undefined);
  const expires = expiryDate(expiry.value);
  return {
    format: 'TD1',
    lines: [
      ...(head ? [head.line] : []),
      `${dates[0]!}${sex === 'X' ? FILLER : sex}${dates[1]!}${nationality}${optional}${digit}`,
      ...(names ? [nameField(names, 30)] : []),
    ],
    page: middle.page,
    words: [upper && head ? upper.words : [], middle.words, lower ? lower.words : []].filter(
      (words) => words.length > 0,
    ),
    checks: { passed: checks.filter(Boolean).length, total: checks.length },
    ...(head ? { document_code: head.code, issuing_country: country(head.country) } : {}),
    ...(head ? { document_number: numberValue(head.value, head.number) } : {}),
    ...(names ? { surname: { value: names.surname, verified: undefined } } : {}),
    ...(names && names.given_names !== '' ? { given_names: { value: names.given_names, verified: undefined } } : {}),
    nationality: country(nationality),
    sex: { value: sex, verified: undefined },
    ...dateValues(birthDate(birth.value, expires), expires, anchor),
    ...personalNumber(head?.optional ?? '', composite),
  };
}

const country = (code: string): { value: string; verified: boolean | undefined } => ({
  value: code.replace(/<+$/, ''),
  verified: isCountryCode(code) || undefined,
});

interface Head {
  line: string;
  code: string;
  country: string;
  value: string;
  number: CheckedField;
  optional: string;
}

function readHead(text: string): Head | undefined {
  const start = /[IAC][A-Z<0-9]/.exec(text.slice(0, 3))?.index;
  if (start === undefined) return undefined;
  const code = asLetter(text[start + 1] ?? FILLER) === 'K' ? `${text[start]!}<` : text.slice(start, start + 2);
  const letters = asLetters(text.slice(start + 2, start + 5));
  const german = /^D<+/.exec(letters);
  const state = german ? 'D' : letters.replace(/<+$/, '');
  if (!/^[A-Z]{1,3}$/.test(state)) return undefined;
  const rest = text.slice(start + 5);
  const { value, number, optional } = readLongNumber(rest) ?? readShortNumber(rest);
  const line = `${code}${state.padEnd(3, FILLER)}${number.value.slice(0, 9).padEnd(9, FILLER)}`;
  const tail =
    number.value.length > 9
      ? `${FILLER}${number.value.slice(9)}${number.check}${optional}`
      : `${number.check}${optional}`;
  return {
    line: (line + tail).padEnd(30, FILLER).slice(0, 30),
    code: code.replace(/<+$/, ''),
    country: state,
    value,
    number,
    optional,
  };
}

function readShortNumber(rest: string): Pick<Head, 'value' | 'number' | 'optional'> {
  const number = repairMixed(rest.slice(0, 9), rest[9] ?? FILLER);
  return { value: number.value.replace(/<+$/, ''), number, optional: readOptional(rest.slice(10), 15) };
}

/** A number of more than nine characters goes on in the optional data, its check digit behind it (part 5, note j). */
function readLongNumber(rest: string): Pick<Head, 'value' | 'number' | 'optional'> | undefined {
  const match = /^([A-Z0-9]{9})<([A-Z0-9]{1,13})([A-Z0-9])(?=<|$)/.exec(rest);
  if (!match) return undefined;
  const number = repairMixed(match[1]! + match[2]!, match[3]!);
  if (!number.verified) return undefined;
  return { value: number.value, number, optional: readOptional(rest.slice(match[0].length), 13 - match[2]!.length) };
}
