import { pastDate } from './values.ts';

/** What a national number that proves itself says about its holder. */
export interface NationalNumber {
  value: string;
  country: string;
  date_of_birth?: string;
  sex?: 'M' | 'F';
}

/**
 * National identity numbers with a check of their own: South Africa (13 digits YYMMDD SSSS C A Z, Luhn; S ≥ 5000 is a
 * man), Spain (DNI and NIE: letter of the number modulo 23), Malaysia (YYMMDD-PB-###G, an even G is a woman),
 * Poland (PESEL: weights 1 3 7 9, the month carries the century), Romania (CNP: sex and century in front, weights
 * 279146358279 modulo 11), Belgium (national register number: 97 less the rest by 97). Undefined where no number in the text passes.
 */
export function findNationalNumber(text: string, country: string | undefined): NationalNumber | undefined {
  return (
    southAfrican(text) ??
    (country === 'POL' ? polish(text) : undefined) ??
    romanian(text) ??
    belgian(text) ??
    spanish(text) ??
    malaysian(text)
  );
}

function southAfrican(text: string): NationalNumber | undefined {
  for (const match of text.matchAll(/(?<![\d])\d{6}\s?\d{4}\s?\d{2}\s?\d(?![\d])/g)) {
    const digits = match[0].replace(/\s/g, '');
    const birth = birthOf(digits.slice(0, 6));
    if (birth === undefined || !/^[0-2]$/.test(digits[10]!) || !passesLuhn(digits)) continue;
    return { value: digits, country: 'ZAF', date_of_birth: birth, sex: Number(digits[6]) >= 5 ? 'M' : 'F' };
  }
  return undefined;
}

/** ISO/IEC 7812-1, annex B. */
export function passesLuhn(digits: string): boolean {
  let sum = 0;
  for (const [index, character] of Array.from(digits).reverse().entries()) {
    const doubled = Number(character) * (index % 2 === 1 ? 2 : 1);
    sum += doubled > 9 ? doubled - 9 : doubled;
  }
  return digits.length > 1 && sum % 10 === 0;
}

const SPANISH_LETTERS = 'TRWAGMYFPDXBNJZSQVHLCKE';

function spanish(text: string): NationalNumber | undefined {
  for (const match of text.matchAll(/(?<![A-Z0-9])([XYZ]?)-?(\d{7,8})[\s-]?([A-HJ-NP-TV-Z])(?![A-Z0-9])/g)) {
    const [, prefix = '', digits = '', letter] = match;
    if (digits.length + prefix.length !== 8) continue;
    const number = Number(`${prefix === '' ? '' : String('XYZ'.indexOf(prefix))}${digits}`);
    if (SPANISH_LETTERS[number % 23] === letter) return { value: `${prefix}${digits}${letter!}`, country: 'ESP' };
  }
  return undefined;
}

/** Two digits between the birth date and the serial are the state of birth. */
function malaysian(text: string): NationalNumber | undefined {
  const match = /(?<!\d)(\d{6})-(\d{2})-(\d{4})(?!\d)/.exec(text);
  const birth = match ? birthOf(match[1]!) : undefined;
  if (!match || birth === undefined) return undefined;
  return { value: match[0], country: 'MYS', date_of_birth: birth, sex: Number(match[3]!.at(-1)) % 2 === 1 ? 'M' : 'F' };
}

const PESEL_WEIGHTS = [1, 3, 7, 9, 1, 3, 7, 9, 1, 3];

function polish(text: string): NationalNumber | undefined {
  for (const match of text.matchAll(/(?<!\d)\d{11}(?!\d)/g)) {
    const digits = Array.from(match[0], Number);
    const sum = PESEL_WEIGHTS.reduce((total, weight, index) => total + weight * digits[index]!, 0);
    const month = Number(match[0].slice(2, 4));
    const century = ['19', '20', '21', '22', '18'][Math.floor(month / 20)];
    if ((10 - (sum % 10)) % 10 !== digits[10] || century === undefined) continue;
    const birth = calendarDay(`${century}${match[0].slice(0, 2)}`, month % 20, Number(match[0].slice(4, 6)));
    if (birth === undefined) continue;
    return { value: match[0], country: 'POL', date_of_birth: birth, sex: digits[9]! % 2 === 1 ? 'M' : 'F' };
  }
  return undefined;
}

const ROMANIAN_WEIGHTS = Array.from('279146358279', Number);

function romanian(text: string): NationalNumber | undefined {
  for (const match of text.matchAll(/(?<!\d)[1-8]\d{12}(?!\d)/g)) {
    const digits = Array.from(match[0], Number);
    const rest = ROMANIAN_WEIGHTS.reduce((sum, weight, index) => sum + weight * digits[index]!, 0) % 11;
    const century = ['', '19', '19', '18', '18', '20', '20', '20', '20'][digits[0]!]!;
    const birth = calendarDay(
      `${century}${match[0].slice(1, 3)}`,
      Number(match[0].slice(3, 5)),
      Number(match[0].slice(5, 7)),
    );
    if ((rest === 10 ? 1 : rest) !== digits[12] || birth === undefined) continue;
    return { value: match[0], country: 'ROU', date_of_birth: birth, sex: digits[0]! % 2 === 1 ? 'M' : 'F' };
  }
  return undefined;
}

function belgian(text: string): NationalNumber | undefined {
  for (const match of text.matchAll(/(?<!\d)(\d{2})\.(\d{2})\.(\d{2})-(\d{3})\.(\d{2})(?!\d)/g)) {
    const [value, year = '', month, day, serial = '', check] = match;
    const body = `${year}${month!}${day!}${serial}`;
    // From 2000 on, a 2 stands before the number when it is reckoned.
    const century = ['', '2'].find((lead) => 97 - (Number(`${lead}${body}`) % 97) === Number(check));
    const birth = calendarDay(`${century === '2' ? '20' : '19'}${year}`, Number(month), Number(day));
    if (century === undefined || birth === undefined) continue;
    return { value, country: 'BEL', date_of_birth: birth, sex: Number(serial) % 2 === 1 ? 'M' : 'F' };
  }
  return undefined;
}

/** YYMMDD as the latest such day that is past. */
function birthOf(text: string): string | undefined {
  const iso = calendarDay(`20${text.slice(0, 2)}`, Number(text.slice(2, 4)), Number(text.slice(4, 6)));
  return iso === undefined ? undefined : pastDate(iso);
}

function calendarDay(year: string, month: number, day: number): string | undefined {
  if (month < 1 || month > 12 || day < 1 || day > new Date(Date.UTC(Number(year), month, 0)).getUTCDate())
    return undefined;
  return `${year}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`;
}

/**
 * British driver number (DVLA, 16 characters): five letters of the surname, decade of birth, month (+5 for a woman on its
 * first digit), day, year, initials and three check characters. Tells birth date and sex; undefined where it is none.
 */
export function readDriverNumber(text: string): { value: string; date_of_birth: string; sex: 'M' | 'F' } | undefined {
  const match = /(?<![A-Z0-9])([A-Z9]{5})\s?(\d)([0156]\d)(\d{2})(\d)\s?([A-Z9]{2}[A-Z0-9]{3})(?![A-Z])/.exec(text);
  if (!match) return undefined;
  const [, name, decade, coded, day, year, rest] = match as unknown as [
    string,
    string,
    string,
    string,
    string,
    string,
    string,
  ];
  const woman = Number(coded) > 12;
  const month = Number(coded) - (woman ? 50 : 0);
  const short = `${decade}${year}`;
  const recent = calendarDay(`20${short}`, month, Number(day));
  const iso = recent === undefined ? calendarDay(`19${short}`, month, Number(day)) : pastDate(recent);
  if (iso === undefined) return undefined;
  return { value: `${name}${decade}${coded}${day}${year}${rest}`, date_of_birth: iso, sex: woman ? 'F' : 'M' };
}
