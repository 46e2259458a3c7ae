import type { Word } from '../../documents/types.ts';

/** What the manifest knows of a document. */
export interface TruthRow {
  fields?: Record<string, unknown>;
  raw?: Record<string, unknown>;
}

/** Values found with the words apart as printed, values found when spaces are left out, values asked. */
type Count = [spaced: number, flat: number, asked: number];
type Kind = 'word' | 'accented' | 'name' | 'address' | 'amount' | 'date' | 'id';
export type Tally = Record<Kind, Count>;

export const emptyTally = (): Tally => ({
  word: [0, 0, 0],
  accented: [0, 0, 0],
  name: [0, 0, 0],
  address: [0, 0, 0],
  amount: [0, 0, 0],
  date: [0, 0, 0],
  id: [0, 0, 0],
});

/** Upper case without accents and punctuation, as score.py compares. */
const normalise = (text: string): string =>
  text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toUpperCase()
    .replaceAll('ß', 'SS')
    .replaceAll('&', ' AND ')
    .replace(/[^A-Z0-9]+/g, ' ')
    .trim();

/**
 * Counts the words of a text layer that were read letter for letter, and those whose letters occur in some line of the
 * reading once spaces are left out; words with accents also apart. Answers the words that were not read.
 */
export function addWords(tally: Tally, truth: string[], read: Word[]): string[] {
  const same = (text: string): string =>
    text
      .normalize('NFKC')
      .replace(/[‐–—−]/g, '-')
      .replace(/[’‘“”"]/g, "'");
  const left = new Map<string, number>();
  for (const { text } of read) left.set(same(text), (left.get(same(text)) ?? 0) + 1);
  const flat = read.map((word) => same(word.text)).join('');
  const missed: string[] = [];
  for (const word of truth.map(same).filter((text) => /[\p{L}\d]/u.test(text))) {
    const count = left.get(word) ?? 0;
    if (count > 0) left.set(word, count - 1);
    else missed.push(word);
    for (const kind of /[^\x20-\x7e]/.test(word) ? (['word', 'accented'] as const) : (['word'] as const)) {
      tally[kind][0] += count > 0 ? 1 : 0;
      tally[kind][1] += flat.includes(word) ? 1 : 0;
      tally[kind][2] += 1;
    }
  }
  return missed;
}

const kinds: [Kind, RegExp][] = [
  ['address', /address/],
  ['date', /date|period_/],
  ['id', /number|tax_id|iban|^purchase_order$/],
  ['name', /name|holder|surname/],
  ['amount', /total|amount|balance|tip$/],
];

/** Counts the values of one document in the text of its page; answers those that the text lacks even without spaces. */
export function addTruth(tally: Tally, row: TruthRow, text: string): string[] {
  const spaced = ` ${normalise(text)} `;
  const flat = spaced.replaceAll(' ', '');
  const missed: string[] = [];
  for (const [field, value] of Object.entries(row.fields ?? {})) {
    const kind = kinds.find(([, pattern]) => pattern.test(field))?.[0];
    if (kind === undefined || (typeof value !== 'string' && typeof value !== 'number')) continue;
    const count = tally[kind];
    const forms = formsOf(kind, value);
    // Long values wrap, and other columns stand between their lines: they count by the word.
    const parts = kind === 'address' ? (forms[0] ?? '').split(' ').filter((part) => part.length > 2) : [''];
    const found = (part: string, inSpaces: boolean): boolean =>
      (part === '' ? forms : [part]).some((form) =>
        inSpaces ? spaced.includes(` ${form} `) : flat.includes(form.replaceAll(' ', '')),
      );
    const lacking = parts.filter((part) => !found(part, false));
    count[0] += parts.filter((part) => found(part, true)).length / Math.max(1, parts.length);
    count[1] += (parts.length - lacking.length) / Math.max(1, parts.length);
    count[2] += 1;
    if (lacking.length > 0) missed.push(`${field}: ${String(value)}`);
  }
  return missed;
}

function formsOf(kind: Kind, value: string | number): string[] {
  if (kind === 'amount') return amountForms(Number(value));
  if (kind === 'date') return dateForms(String(value));
  return [normalise(String(value))];
}

function amountForms(value: number): string[] {
  const fixed = Math.abs(value).toFixed(2);
  const grouped = fixed.replace(/\B(?=(\d{3})+\.)/g, ',');
  return [...new Set([fixed, grouped].map(normalise)), ...(Number.isInteger(value) ? [String(Math.abs(value))] : [])];
}

const MONTHS = 'JAN FEB MAR APR MAY JUN JUL AUG SEP OCT NOV DEC'.split(' ');
const LONG_MONTHS = 'JANUARY FEBRUARY MARCH APRIL MAY JUNE JULY AUGUST SEPTEMBER OCTOBER NOVEMBER DECEMBER'.split(' ');

function dateForms(iso: string): string[] {
  const [y = '', m = '', d = ''] = iso.split('-');
  const forms: string[] = [];
  const days = [d, String(Number(d))];
  const months = [m, String(Number(m)), MONTHS[Number(m) - 1] ?? '', LONG_MONTHS[Number(m) - 1] ?? ''];
  for (const day of days) {
    for (const month of months) {
      for (const year of [y, y.slice(2)]) {
        forms.push(`${day} ${month} ${year}`, `${month} ${day} ${year}`, `${year} ${month} ${day}`);
      }
    }
  }
  return forms;
}

/** "name .91/.95": as printed / without spaces. */
export function printTally(tally: Tally): string {
  const share = (found: number, asked: number): string => (asked === 0 ? ' - ' : (found / asked).toFixed(3));
  return Object.entries(tally)
    .filter(([, [, , asked]]) => asked > 0)
    .map(([kind, [spaced, flat, asked]]) => `${kind} ${share(spaced, asked)}/${share(flat, asked)}`)
    .join('  ');
}
