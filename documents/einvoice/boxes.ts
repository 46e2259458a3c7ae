import type { ExtractionField, LineItem, PageBox } from '../types.ts';
import { boxOf, type PageIndex, type Place } from './locate.ts';
import type { EInvoiceColumn, EInvoiceLine, EInvoiceValue } from './types.ts';

const ISO_DATE = /^\d{4}-\d{2}-\d{2}$/;
/** Sums stand at the end of a document, whatever is printed before them. */
const SUMS = new Set(['subtotal', 'tax', 'discount', 'shipping', 'total', 'amount_due', 'tax_rate']);
/** Lines below its first part on which the rest of an address or of a wrapped text is looked for. */
const REACH = 6;

/** The best place of a field's value: where the page's own reader found it, else where it is printed. */
export function fieldBox(
  index: PageIndex,
  name: string,
  value: EInvoiceValue,
  onPage: ExtractionField | undefined,
): PageBox | null {
  if (onPage?.bbox && sameValue(value, onPage.value)) return onPage.bbox;
  const places = placesOf(index, value);
  const best = SUMS.has(name) ? places.at(-1) : places[0];
  if (best) return boxOf([best]);
  return typeof value === 'string' ? boxOf(scattered(index, value)) : null;
}

export function placesOf(index: PageIndex, value: EInvoiceValue): Place[] {
  if (typeof value === 'number') return index.amount(value);
  return ISO_DATE.test(value) ? index.date(value) : index.text(value);
}

/** Equal for a reader: amounts to the cent, texts aside from case and punctuation. */
export function sameValue(a: unknown, b: unknown): boolean {
  if (typeof a === 'number' && typeof b === 'number') return Math.abs(Math.abs(a) - Math.abs(b)) < 0.005;
  return squeezed(a) === squeezed(b);
}

const squeezed = (value: unknown): string =>
  String(value)
    .normalize('NFKD')
    .replace(/[^\p{L}\p{N}]/gu, '')
    .toUpperCase();

/** A value over several lines: the parts between its commas, or its halves, each close below the one before. */
function scattered(index: PageIndex, value: string): Place[] {
  const parts = value.split(/,\s*/).filter((part) => part.length > 1);
  const pieces = parts.length > 1 ? parts : wordsOf(value);
  const found = pieces.map((piece) => index.text(piece));
  const anchor = found.findIndex((places) => places.length > 0);
  if (anchor < 0) return [];
  let best: Place[] = [];
  for (const start of found[anchor]!) {
    const chosen = [start];
    for (const places of found.slice(anchor + 1)) {
      const next = places.find((place) => isNear(chosen[0]!, place));
      if (next) chosen.push(next);
    }
    if (chosen.length > best.length) best = chosen;
  }
  // One word of a long text proves nothing.
  return best.length * 2 > pieces.length ? best : [];
}

const wordsOf = (value: string): string[] => value.split(/\s+/).filter((word) => word.length > 2);

function isNear(first: Place, other: Place): boolean {
  const distance = other.line.index - first.line.index;
  if (other.line.page !== first.line.page || distance < 0 || distance > REACH) return false;
  const [a, b] = [first.words[0]!.bbox, other.words[0]!.bbox];
  return distance === 0 || Math.abs(a.x - b.x) < 12 * a.height;
}

const CONFIDENCE = 0.99;

/** Lines with the boxes of their rows: each XML line takes the first row, below the last one's, that has its total. */
export function lineItems(index: PageIndex, lines: EInvoiceLine[], onPage: LineItem[]): LineItem[] {
  let from = -1;
  return lines.map((line, position) => {
    const printed = onPage.length === lines.length ? onPage[position] : undefined;
    const row = rowOf(index, line, from);
    if (row) from = row.line.index;
    const cell = (column: EInvoiceColumn): LineItem['total'] => {
      const value = line[column] ?? null;
      return {
        value,
        confidence: CONFIDENCE,
        bbox: value === null ? null : cellBox(index, value, row, printed?.[column]),
      };
    };
    const item: LineItem = {
      description: cell('description'),
      quantity: cell('quantity'),
      unit_price: cell('unit_price'),
      total: cell('total'),
    };
    for (const column of ['tax_rate', 'sku', 'unit'] as const)
      if (line[column] !== undefined) item[column] = cell(column);
    return item;
  });
}

function rowOf(index: PageIndex, line: EInvoiceLine, from: number): Place | undefined {
  const below = (place: Place): boolean => place.line.index > from;
  const names = line.description === undefined ? [] : firstWords(index, String(line.description)).filter(below);
  const totals = typeof line.total === 'number' ? index.amount(line.total).filter(below) : [];
  const near = (name: Place): boolean =>
    totals.some((t) => t.line.page === name.line.page && Math.abs(t.line.index - name.line.index) <= 2);
  return names.find(near) ?? (totals.length > 0 ? undefined : names[0]);
}

/** A description is wrapped where its column ends: the longest beginning of it that stands on one line. */
function firstWords(index: PageIndex, description: string): Place[] {
  const words = description.split(/\s+/);
  for (let count = words.length; count > 0; count--) {
    const places = index.text(words.slice(0, count).join(' '));
    if (places.length > 0) return places;
  }
  return [];
}

function cellBox(
  index: PageIndex,
  value: EInvoiceValue,
  row: Place | undefined,
  printed: LineItem['total'] | undefined,
): PageBox | null {
  if (printed?.bbox && sameValue(value, printed.value)) return printed.bbox;
  if (!row) return null;
  const places = typeof value === 'string' ? firstWords(index, value) : placesOf(index, value);
  const inRow = places
    .filter((place) => place.line.page === row.line.page && Math.abs(place.line.index - row.line.index) <= 2)
    .sort((a, b) => Math.abs(a.line.index - row.line.index) - Math.abs(b.line.index - row.line.index));
  return boxOf(inRow.slice(0, 1));
}
