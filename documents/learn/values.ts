import { type DateOrder, dateOrderOf, findDates } from '../values/dates.ts';
import { type DecimalMark, decimalMarkOf, parseMoney } from '../values/money.ts';
import { flat, similarity } from './text.ts';
import type { ValueKind } from './types.ts';

/** How a document writes dates and numbers. */
export interface Locale {
  order: DateOrder;
  decimal: DecimalMark;
}

const SYNONYMS: Record<string, ValueKind> = {
  ...same('text', 'text string str id identifier code reference name address multiline textarea enum select time'),
  ...same('number', 'number numeric int integer float decimal double quantity percent percentage'),
  ...same('money', 'money currency amount price monetary total'),
  ...same('date', 'date datetime day timestamp'),
  ...same('boolean', 'boolean bool checkbox yes_no flag'),
  ...same('email', 'email e_mail mail email_address'),
  ...same('phone', 'phone telephone tel mobile phone_number fax'),
};

function same(kind: ValueKind, names: string): Record<string, ValueKind> {
  return Object.fromEntries(names.split(' ').map((name) => [name, kind]));
}

/** The kind that a field's type means, or undefined for a word that is none. */
export const kindNamed = (type: string): ValueKind | undefined =>
  Object.hasOwn(SYNONYMS, normal(type)) ? SYNONYMS[normal(type)] : undefined;

export const isTableType = (type: string): boolean =>
  ['table', 'list', 'array', 'line_items', 'rows'].includes(normal(type));

const normal = (type: string): string =>
  type
    .trim()
    .toLowerCase()
    .replace(/[\s-]+/g, '_');

export const localeOf = (text: string, annotations: Iterable<unknown> = []): Locale => ({
  order: dateOrderOf(text) ?? orderByAnnotations(text, annotations) ?? 'dmy',
  decimal: decimalMarkOf(text) ?? '.',
});

/** Of a page whose dates can be read both ways, the order in which an annotated date is found on it. */
function orderByAnnotations(text: string, annotations: Iterable<unknown>): DateOrder | undefined {
  const asked = new Set([...annotations].filter((value) => typeof value === 'string'));
  if (asked.size === 0) return undefined;
  const found = (order: DateOrder): boolean =>
    findDates(text.slice(0, 50_000), order).some(({ iso }) => asked.has(iso));
  const [dmy, mdy] = [found('dmy'), found('mdy')];
  if (dmy === mdy) return undefined;
  return dmy ? 'dmy' : 'mdy';
}

const YES = /^(?:yes|y|true|ja|oui|si|sí|sim|x|1|\[x\]|☒|☑|✓|✔|on)$/i;
const NO = /^(?:no|n|false|nein|non|nao|não|nee|0|\[ ?\]|☐|off)$/i;

export function booleanOf(text: string): boolean | undefined {
  const plain = text.trim();
  if (YES.test(plain)) return true;
  return NO.test(plain) ? false : undefined;
}

/** An annotation as a value of its kind; undefined where it is none. Text is kept as its owner wrote it. */
export function canonical(kind: ValueKind, given: unknown, locale: Locale): unknown {
  if (given === null || given === undefined || given === '') return undefined;
  if (kind === 'boolean') return typeof given === 'boolean' ? given : booleanOf(plain(given));
  if (kind === 'number' || kind === 'money') {
    if (typeof given === 'number') return Number.isFinite(given) ? given : undefined;
    return parseMoney(plain(given).slice(0, 60).replace(/%$/, ''), locale.decimal)?.amount;
  }
  const text = plain(given).slice(0, 2000).trim();
  if (text === '') return undefined;
  if (kind === 'date') return findDates(text, locale.order)[0]?.iso;
  return text;
}

function plain(given: unknown): string {
  if (typeof given === 'string') return given;
  return typeof given === 'number' || typeof given === 'boolean' ? String(given) : '';
}

/** Equal to its owner: to the cent, the day, the letters and digits. */
export function sameValue(kind: ValueKind, a: unknown, b: unknown): boolean {
  if (typeof a === 'number' && typeof b === 'number') return Math.abs(a - b) < 0.005;
  if (kind === 'phone') return digits(a) === digits(b);
  return typeof a === 'string' && typeof b === 'string' ? flat(a) === flat(b) : a === b;
}

const digits = (value: unknown): string => plain(value).replace(/\D/g, '');

/** 0 to 1; numbers and dates are alike or not, texts may be misread. */
export function likeness(kind: ValueKind, a: unknown, b: unknown): number {
  if (kind !== 'text' || typeof a !== 'string' || typeof b !== 'string') return sameValue(kind, a, b) ? 1 : 0;
  return similarity(flat(a), flat(b));
}

export interface Occurrence {
  start: number;
  end: number;
  value: unknown;
}

const NUMBER =
  /[-+(]?\s?(?:[€£$¥₹]|\b[A-Z]{1,3}\$?)?\s?[-+]?(?<![\d.,])\d(?:[\d.,'’]|[ \u00a0](?=\d{3}(?!\d)))*(?:\s?-(?!\s?\w)|\))?/g;
const EMAIL = /[\w.+-]{1,64}@[\w-]+(?:\.[\w-]+)+/g;
const PHONE = /[+(]{0,2}\d[\d\s()./-]{5,22}\d/g;

/** Every value of a kind in a line of text. For text itself there is no grammar: see `candidates.ts`. */
export function occurrences(kind: ValueKind, text: string, locale: Locale): Occurrence[] {
  const line = text.slice(0, 2000);
  if (kind === 'date')
    return findDates(line, locale.order).map(({ index, length, iso }) => ({
      start: index,
      end: index + length,
      value: iso,
    }));
  if (kind === 'number' || kind === 'money') return matches(line, NUMBER, (part) => numberIn(part, locale));
  if (kind === 'email') return matches(line, EMAIL, (part) => part);
  if (kind === 'phone') return matches(line, PHONE, (part) => (digits(part).length >= 6 ? part.trim() : undefined));
  if (kind === 'boolean') return matches(line, /\S+(?: ?\])?/g, booleanOf);
  return [];
}

function numberIn(part: string, { decimal }: Locale): number | undefined {
  const signed = part.replace(/(?<=^[-+(])\s/, '').trim();
  return (
    parseMoney(signed, decimal)?.amount ??
    parseMoney(signed.replace(/^[A-Z]+/, '').replace(/[.,'’]+$/, ''), decimal)?.amount
  );
}

function matches(line: string, pattern: RegExp, read: (part: string) => unknown): Occurrence[] {
  const found: Occurrence[] = [];
  for (const match of line.matchAll(pattern)) {
    const value = read(match[0]);
    if (value === undefined) continue;
    const start = match.index + (match[0].length - match[0].trimStart().length);
    found.push({ start, end: start + match[0].trim().length, value });
  }
  return found;
}
