import type { Extraction, PageText } from '../types.ts';
import { type PageView, viewOf } from './page-view.ts';
import { containment, flat, hashOf, similarity } from './text.ts';
import type { Lesson } from './types.ts';

/** Fields that name who made a document, and those of its number with the tax office. */
const NAMES = ['vendor_name', 'merchant_name', 'bank_name', 'issuer'];
const TAX_NUMBERS = ['vendor_tax_number', 'merchant_tax_number'];

/** Lines of the head: name, address, numbers of the issuer. */
const HEAD_LINES = 14;
const LEAST_NAME = 5;
const LEAST_NUMBER = 6;
const MOST_HEAD_WORDS = 80;

/** A page as it is compared with the issuers of lessons. */
export interface IssuerView {
  view: PageView;
  /** Capitals and digits of the head. */
  head: string;
  words: Set<number>;
  taxNumbers: string[];
}

export function issuerView(pages: PageText[], extraction: Extraction): IssuerView {
  const view = viewOf(pages);
  return {
    view,
    head: headOf(view).map(flat).join(''),
    words: new Set(headWords(view)),
    taxNumbers: textsOf(extraction, TAX_NUMBERS, LEAST_NUMBER),
  };
}

/** The issuer as the corrected extraction has it, and as the reader misread its name. */
export function issuerOf(view: PageView, before: Extraction, after: Extraction): Pick<Lesson, 'issuer' | 'keys'> {
  const named = textsOf(after, NAMES, LEAST_NAME);
  const misread = textsOf(before, NAMES, LEAST_NAME).filter((name) =>
    named.some((other) => similarity(name, other) > 0.6),
  );
  const names = [...new Set([...named, ...misread])];
  const taxNumbers = textsOf(after, TAX_NUMBERS, LEAST_NUMBER);
  return {
    keys: [...taxNumbers.map((number) => `tax:${number}`), ...names.map((name) => `name:${name}`)],
    issuer: { tax_numbers: taxNumbers, names, head: headWords(view) },
  };
}

function textsOf({ fields }: Extraction, names: string[], least: number): string[] {
  return names.flatMap((name) => {
    const value = Object.hasOwn(fields, name) ? fields[name]?.value : undefined;
    const text = typeof value === 'string' ? flat(value) : '';
    return text.length >= least ? [text] : [];
  });
}

const headOf = (view: PageView): string[] => view.lines.slice(0, HEAD_LINES).map((line) => line.text);

/** Dates, amounts and names of goods vary; the issuer's own words are in every head. */
function headWords(view: PageView): number[] {
  const words = headOf(view)
    .flatMap((line) => line.split(/[\s:;,/()]+/))
    .map(flat)
    .filter((word) => word.length >= 3);
  return [...new Set(words)].slice(0, MOST_HEAD_WORDS).map(hashOf);
}

/** A tax number or name on the page needs fewer of the head's words beside it than a page without them. */
const HEAD_WITH_TAX_NUMBER = 0.25;
const HEAD_WITH_NAME = 0.3;
const HEAD_ALONE = 0.6;
const LEAST_SHARED = 6;

/** Whether a page is of the issuer that a lesson was learned from. */
export function isOfIssuer({ head, words, taxNumbers, view }: IssuerView, { issuer }: Lesson): boolean {
  const shared = issuer.head.filter((word) => words.has(word)).length;
  const overlap = shared / Math.max(1, Math.min(issuer.head.length, words.size));
  const named = issuer.names.some((name) => containment(name, head) >= 0.85);
  const taxed = issuer.tax_numbers.some(
    (number) => taxNumbers.some((other) => similarity(number, other) >= 0.9) || view.flat.includes(number),
  );
  if (taxed) return overlap >= HEAD_WITH_TAX_NUMBER;
  const other = issuer.tax_numbers.length > 0 && taxNumbers.length > 0;
  if (named) return overlap >= (other ? HEAD_ALONE : HEAD_WITH_NAME);
  return !other && shared >= LEAST_SHARED && overlap >= HEAD_ALONE;
}
