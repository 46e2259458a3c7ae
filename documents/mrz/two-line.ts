import { asDigit, asLetters } from './alphabet.ts';
import { checkFits, FILLER } from './check-digit.ts';
import { isCountryCode } from './countries.ts';
import { compositeFits, type DateAnchor, findAnchor, fitLength, readNumber, readOptional } from './data-line.ts';
import { birthDate, expiryDate } from './dates.ts';
import { nameField, readNames, type ZoneNames } from './names.ts';
import type { CheckedField } from './repair.ts';
import type { Mrz, MrzFormat, MrzValue, ZoneLine } from './types.ts';

interface Layout {
  format: MrzFormat;
  length: number;
  /** Letters that the document code may begin with. */
  codes: string;
  optional: number;
  /** The optional data have a check digit of their own (TD3). */
  optionalCheck: boolean;
  composite: boolean;
}

/** ICAO Doc 9303: TD3 is part 4, TD2 part 6, the visas part 7. */
const LAYOUTS: Layout[] = [
  { format: 'TD3', length: 44, codes: 'P', optional: 14, optionalCheck: true, composite: true },
  { format: 'TD2', length: 36, codes: 'IAC', optional: 7, optionalCheck: false, composite: true },
  { format: 'MRV-A', length: 44, codes: 'V', optional: 16, optionalCheck: false, composite: false },
  { format: 'MRV-B', length: 36, codes: 'V', optional: 8, optionalCheck: false, composite: false },
];

/** Where the nationality ends in the data line of all of them. */
const BIRTH_AT = 13;

/** Reads a zone of two lines; the upper one may be missing, the lower one not. */
export function readTwoLines(upper: ZoneLine | undefined, lower: ZoneLine): Mrz | undefined {
  const anchor = findAnchor(lower.text, 'before', BIRTH_AT);
  if (!anchor || anchor.at < BIRTH_AT - 5) return undefined;
  const head = upper ? readNameLine(upper.text) : undefined;
  const layout = layoutOf(head?.code, lower.text, anchor);
  const number = readNumber(lower.text.slice(0, anchor.start));
  const tail = readTail(lower.text.slice(anchor.end), layout);
  const data = dataLine(number, anchor, tail);
  const composite = layout.composite
    ? compositeFits(data.slice(0, 10) + data.slice(13, 20) + data.slice(21, 28) + tail.text, tail.digit)
    : undefined;
  const lines = [data + (layout.composite ? tail.digit : '')];
  if (head) lines.unshift(head.code + head.country.padEnd(3, FILLER) + nameField(head.names, layout.length - 5));
  const checks = [number.verified, anchor.birth.verified, anchor.expiry.verified, composite].filter(
    (c) => c !== undefined,
  );
  const expiry = expiryDate(anchor.expiry.value);
  return {
    format: layout.format,
    lines,
    page: lower.page,
    words: upper && head ? [upper.words, lower.words] : [lower.words],
    checks: { passed: checks.filter(Boolean).length, total: checks.length },
    ...(head ? headValues(head) : {}),
    document_number: numberValue(number.value, number),
    nationality: {
      value: anchor.nationality.replace(/<+$/, ''),
      verified: isCountryCode(anchor.nationality) || undefined,
    },
    sex: { value: anchor.sex, verified: undefined },
    ...dateValues(birthDate(anchor.birth.value, expiry), expiry, anchor),
    ...personalNumber(tail.optional, tail.verified ?? composite),
  };
}

const checked = (value: string, field: CheckedField): MrzValue => ({ value, verified: field.verified });

const bare = (text: string): string => text.replace(/<+$/, '').replace(/</g, ' ');

export function numberValue(value: string, field: CheckedField): MrzValue {
  const others = (field.candidates ?? []).map(bare);
  return { ...checked(bare(value), field), ...(others.length > 1 ? { candidates: others } : {}) };
}

export function dateValues(
  birth: string | undefined,
  expiry: string | undefined,
  anchor: DateAnchor,
): Pick<Mrz, 'date_of_birth' | 'expiry_date'> {
  return {
    ...(birth === undefined ? {} : { date_of_birth: checked(birth, anchor.birth) }),
    ...(expiry === undefined ? {} : { expiry_date: checked(expiry, anchor.expiry) }),
  };
}

export function personalNumber(optional: string, verified: boolean | undefined): Pick<Mrz, 'personal_number'> {
  const value = optional.replace(/^<+|<+$/g, '').replace(/<+/g, ' ');
  return value === '' ? {} : { personal_number: { value, verified } };
}

interface NameLine {
  code: string;
  country: string;
  names: ZoneNames;
}

/** `P<UTOERIKSSON<<ANNA<MARIA<<<…`; undefined where the line has no document code, country and names. */
export function readNameLine(text: string): NameLine | undefined {
  const start = /[PIACV][A-Z<]/.exec(text.slice(0, 4))?.index;
  if (start === undefined || text.length - start < 15) return undefined;
  const code = text.slice(start, start + 2).replace(/(?<=.)[KLC](?=$)/, FILLER);
  const letters = asLetters(text.slice(start + 2));
  // Germany's code is D with two fillers, of which a reader may lose one.
  const german = /^D<{1,3}/.exec(letters);
  const country = german ? 'D' : letters.slice(0, 3).replace(/<+$/, '');
  if (!/^[A-Z]{1,3}$/.test(country)) return undefined;
  const names = readNames(letters.slice(german ? german[0].length : 3));
  return names.surname === '' ? undefined : { code, country, names };
}

function headValues({ code, country, names }: NameLine): Partial<Mrz> {
  return {
    document_code: code.replace(/<+$/, ''),
    issuing_country: { value: country, verified: isCountryCode(country) || undefined },
    surname: { value: names.surname, verified: undefined },
    ...(names.given_names === '' ? {} : { given_names: { value: names.given_names, verified: undefined } }),
  };
}

function layoutOf(code: string | undefined, lower: string, anchor: DateAnchor): Layout {
  const length = lower.length - (anchor.at - BIRTH_AT);
  const fitting = LAYOUTS.filter((layout) => code === undefined || layout.codes.includes(code[0]!));
  const [best] = fitting.sort((a, b) => distance(a, length) - distance(b, length));
  return best ?? LAYOUTS[0]!;
}

const distance = (layout: Layout, length: number): number => Math.abs(layout.length - length);

interface Tail {
  /** What the composite check digit covers of it. */
  text: string;
  optional: string;
  digit: string;
  verified: boolean | undefined;
}

function readTail(raw: string, layout: Layout): Tail {
  if (!layout.composite) {
    const optional = readOptional(raw, layout.optional);
    return { text: optional, optional, digit: '', verified: undefined };
  }
  const digit = asDigit(raw.at(-1) ?? FILLER) ?? FILLER;
  const rest = raw.slice(0, -1);
  if (!layout.optionalCheck) {
    const optional = readOptional(rest, layout.optional);
    return { text: optional, optional, digit, verified: undefined };
  }
  const optional = readOptional(rest.slice(0, -1), layout.optional);
  const last = rest.at(-1) ?? FILLER;
  const check = last === FILLER ? FILLER : (asDigit(last) ?? last);
  return { text: optional + check, optional, digit, verified: checkFits(optional, check) };
}

function dataLine(number: CheckedField, anchor: DateAnchor, tail: Tail): string {
  const { birth, expiry, nationality, sex } = anchor;
  const sexCharacter = sex === 'X' ? FILLER : sex;
  return (
    fitLength(number.value, 9) +
    number.check +
    nationality +
    birth.value +
    birth.check +
    sexCharacter +
    expiry.value +
    expiry.check +
    tail.text
  );
}
