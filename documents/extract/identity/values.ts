import { type DateOrder, findDates } from '../../values/dates.ts';

export interface Found<T> {
  value: T;
  /** Of the text that was given. */
  index: number;
  length: number;
}

/** The first date of a text, also as documents print it: "12 AUGUST/AOUT 74", "31 12 1990", "03/23/1 988". */
export function readDate(text: string, order: DateOrder): Found<string> | undefined {
  for (const variant of dateVariants(text)) {
    const [date] = findDates(variant, order);
    if (date) return { value: date.iso, index: Math.min(date.index, text.length - 1), length: date.length };
  }
  return undefined;
}

const SHORT_DATE = String.raw`\d{1,2}[./]\d{1,2}[./](?:\d{4}|\d{2})`;
const VALIDITY = new RegExp(String.raw`(?<from>${SHORT_DATE})\s*[-–—]\s*(?<to>${SHORT_DATE})`);

/** One end of a validity that is printed as a range: "19.06.03-19.06.2013". */
export function readValidity(text: string, end: 'from' | 'to', order: DateOrder): Found<string> | undefined {
  const match = VALIDITY.exec(text);
  const [date] = findDates(match?.groups?.[end] ?? '', order);
  return match && date ? { value: date.iso, index: match.index, length: match[0].length } : undefined;
}

/** The same text with what keeps its date from being read put aside; positions stay where nothing was left out. */
function dateVariants(text: string): string[] {
  const joined = text.replace(/(?<=\d)\s(?=\d{1,3}\b)/g, '');
  return [
    text,
    text.replace(/(\d\s?\p{L}{3,9})\s*[/|lI]\s*\p{L}{3,9}\.?(?=[\s.'’]*\d)/gu, '$1 '),
    text.replace(/(?<=\d\s?)\p{L}{3,9}\s*[/|]\s*(?=\p{L}{3,9}[\s.'’]*\d)/gu, ' '),
    text.replace(/\b(\d{1,2})\s([01]?\d)\s((?:19|20)\d{2}|\d{2})\b/g, '$1.$2.$3'),
    joined,
    text.replace(/[oOQ]/g, '0').replace(/[lI|]/g, '1'),
  ];
}

/** A birth lies in the past: two digits of a year are of the last century where this one is still to come. */
export function pastDate(iso: string, today = new Date()): string {
  return iso <= today.toISOString().slice(0, 10) ? iso : `${String(Number(iso.slice(0, 4)) - 100)}${iso.slice(4)}`;
}

/** A number of a document: five characters or more, digits among them, no date. */
export function readNumber(text: string, digitShare = 0.3): Found<string> | undefined {
  for (const match of text.matchAll(
    /(?<![A-Z0-9])[A-Z0-9](?:[A-Z0-9]|[-. ](?=[A-Z0-9]*\d)){3,19}[A-Z0-9](?![A-Z0-9])/g,
  )) {
    const value = match[0].trim();
    const digits = value.match(/\d/g)?.length ?? 0;
    if (
      digits < (digitShare < 0.3 || value.length >= 8 ? 2 : 3) ||
      digits < value.length * (value.length >= 8 ? Math.min(digitShare, 0.2) : digitShare) ||
      /^\d{1,2}[./ -]\d{1,2}[./ -]\d{2,4}$/.test(value)
    )
      continue;
    return { value, index: match.index, length: match[0].length };
  }
  return undefined;
}

const SEXES: [RegExp, 'M' | 'F'][] = [
  // A man's is M everywhere but M is a woman's where the words are Polish or Czech: those documents print both letters.
  [
    /(?<![\p{L}])(?:F|female|weiblich|W|femme|femenino|mujer|vrouw|V|femmina|feminino|perempuan|K(?:\/F)?|Ž(?:\/F)?|Z\/F|P-F|N\/F)(?![\p{L}])/iu,
    'F',
  ],
  [/(?<![\p{L}])(?:M|male|männlich|homme|masculino|hombre|man|maschio|lelaki|M\/M|L-M|H)(?![\p{L}])/iu, 'M'],
];

export function readSex(text: string): Found<string> | undefined {
  const found = SEXES.flatMap(([pattern, value]) => {
    const match = pattern.exec(text);
    return match ? [{ value, index: match.index, length: match[0].length }] : [];
  });
  return found.sort((a, b) => a.index - b.index)[0];
}

const TITLE = /^(?:mrs?|miss|ms|mx|dr|prof|herrn?|frau)\b\.?\s+(?=\p{Lu})/iu;

/** A person's name: words of letters, most of them with a capital, without digits. */
export function readName(text: string): Found<string> | undefined {
  const match = /^\W*(?<name>\p{L}[\p{L}'’.-]*(?:[\s,]+\p{L}[\p{L}'’.-]*){0,5})\W*$/u.exec(text.trim());
  const name = match?.groups?.['name']?.replace(TITLE, '');
  if (name === undefined || name.length < 2 || !/^(?:\p{Lu}|d[eu]\s|v[ao]n\s)/u.test(name)) return undefined;
  const index = text.indexOf(name);
  return { value: name.replace(/\s+/g, ' ').replace(/[,\s]+$/, ''), index: Math.max(0, index), length: name.length };
}
