import { type Line, layoutLines } from '../layout/lines.ts';
import type { ExtractOptions, PageText } from '../types.ts';
import { type DateOrder, dateOrderOf } from '../values/dates.ts';
import { currencyIn, type DecimalMark, decimalMarkOf } from '../values/money.ts';

/** Everything that the extractors of one document share: its lines, and its locale, decided once for the whole of it. */
export interface ExtractContext {
  pages: PageText[];
  lines: Line[];
  text: string;
  language: string;
  dateOrder: DateOrder;
  /** False when the order is an assumption: an ambiguous date is then given less confidence. */
  dateOrderSure: boolean;
  decimal: DecimalMark;
  currency: { code: string; sure: boolean } | undefined;
}

const MONTH_FIRST_COUNTRIES = new Set(['US', 'PH', 'PR', 'GU']);
/** A US state with a ZIP code behind it. */
const US_ADDRESS = /\b[A-Z]{2}[ ,.]+\d{5}(?:-\d{4})?\b/;
/** A North American telephone number on a page of plain dollars: 987-654-3210. */
const US_PHONE = /^\W*\(?\d{3}\)?[ .-]\d{3}[ .-]\d{4}\W*$/m;
const PLAIN_DOLLARS = /(?<![A-Z])\$\s?\d/;

export function createContext(pages: PageText[], options: ExtractOptions = {}): ExtractContext {
  const ordered = [...pages].sort((a, b) => a.page - b.page);
  const lines = layoutLines(ordered);
  const text = lines.map((line) => line.text).join('\n');
  const order = dateOrderOf(text);
  const language = mostCommon(ordered.map((page) => page.language)) ?? 'en';
  return {
    pages: ordered,
    lines,
    text,
    language,
    dateOrder: order ?? assumedOrder(text, options.country, language),
    dateOrderSure: order !== undefined,
    decimal: decimalMarkOf(text) ?? (['de', 'fr', 'es', 'it', 'nl', 'pt'].includes(language) ? ',' : '.'),
    currency: currencyOf(text, options.currency),
  };
}

function assumedOrder(text: string, country: string | undefined, language: string): DateOrder {
  // "Torino TO 10121" is no American address, and no language but English is written in the United States' order.
  if (['de', 'fr', 'es', 'it', 'nl', 'pt'].includes(language)) return 'dmy';
  if (US_ADDRESS.test(text) && !/\b(?:Kuala|Jalan|Jln)\b/i.test(text)) return 'mdy';
  if (US_PHONE.test(text) && PLAIN_DOLLARS.test(text)) return 'mdy';
  return country !== undefined && MONTH_FIRST_COUNTRIES.has(country) ? 'mdy' : 'dmy';
}

/** The currency named most often; signs before amounts count like codes. */
function currencyOf(text: string, fallback: string | undefined): { code: string; sure: boolean } | undefined {
  const counts = new Map<string, number>();
  for (const line of text.split('\n')) {
    const code = currencyIn(line);
    if (code !== undefined) counts.set(code, (counts.get(code) ?? 0) + 1);
  }
  const best = [...counts].sort((a, b) => b[1] - a[1])[0];
  if (best) return { code: best[0], sure: true };
  return fallback === undefined ? undefined : { code: fallback, sure: false };
}

function mostCommon(values: string[]): string | undefined {
  const counts = new Map<string, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts].sort((a, b) => b[1] - a[1])[0]?.[0];
}
