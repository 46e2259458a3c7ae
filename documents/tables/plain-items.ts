import type { ExtractContext } from '../extract/context.ts';
import { type Line, textOf } from '../layout/lines.ts';
import type { LineItem, Word } from '../types.ts';
import { sameAmount } from '../values/money.ts';
import { headingKind } from './headings.ts';
import { cellOf, clean, derive, missing } from './items.ts';
import { type NumberToken, numberTokens } from './numbers.ts';
import { EXTRAS_LABEL, TOTALS_LABEL } from './vocabulary.ts';

/** Items without headings: till receipts, and letters that list a few prices. */
export interface PlainItem {
  page: number;
  text: Word[];
  quantity?: NumberToken;
  price?: NumberToken;
  total: NumberToken;
  line: Line;
}

/** Payment, contact and till lines between the items and above them. */
const NO_ITEM =
  /\b(?:tel|phone|fax|gst|sst|vat|tax|invoice|receipt|date|time|cashier|table|order\s*(?:no|#)|bill\s*no|doc|member|card|cash|change|visa|master|tender|payment|balance|approval|terminal|ref|reg|no\.)\b\s*[:.#]|^\W*(?:cash|change|visa|master|amex|card|tender|paid|payment|round|total|amount|subtotal)\b/i;
/** In heights: lines further apart are no list. */
const LIST_GAP = 2.5;

/**
 * Rows of a text and a price at its right, from the first to the line with the sum. A line with figures alone says the
 * quantity and price of the text above it ("2 x 3.50   7.00").
 */
export function plainItems(context: ExtractContext): { items: PlainItem[]; summed: boolean } {
  const { lines } = context;
  const sumAt = lines.findIndex((line) => TOTALS_LABEL.test(line.text) && exactTokens(line, context).length > 0);
  const end = sumAt < 0 ? lines.length : sumAt;
  const all = collect(lines.slice(0, end), context);
  const sums = lines.slice(end, end + 12).flatMap((line) => exactTokens(line, context).map((token) => token.amount));
  const list = lastRun(all);
  for (let from = 0; from < list.length; from++) {
    const rest = list.slice(from);
    const sum = rest.reduce((total, item) => total + item.total.amount, 0);
    if (sum !== 0 && sums.some((amount) => sameAmount(amount, sum, 0.011))) return { items: rest, summed: true };
  }
  return { items: list, summed: false };
}

const exactTokens = (line: Line, context: ExtractContext): NumberToken[] =>
  numberTokens(line.words, context.decimal).filter((token) => token.exact && !token.percent);

function collect(lines: Line[], context: ExtractContext): PlainItem[] {
  const items: PlainItem[] = [];
  let name: { line: Line; words: Word[] } | undefined;
  let ahead: ReturnType<typeof factors> = {};
  for (const line of lines) {
    if (NO_ITEM.test(line.text) || line.words.filter((word) => headingKind(word.text) !== undefined).length > 2) {
      name = undefined;
      continue;
    }
    const tokens = numberTokens(line.words, context.decimal);
    const total = tokens.at(-1);
    const isPriced = total?.exact === true && !total.percent && behind(line, total) <= 1;
    const text = textBefore(line, isPriced ? tokens : []);
    if (!isPriced) {
      const { quantity, price } = factors(tokens, undefined);
      const last = items.at(-1);
      if (
        quantity &&
        price &&
        last &&
        !last.quantity &&
        sameAmount(quantity.amount * price.amount, last.total.amount, 0.011)
      )
        Object.assign(last, { quantity, price });
      else if (quantity && price) ahead = { quantity, price };
      name = /\p{L}{3}/u.test(line.text) ? { line, words: line.words } : name;
      continue;
    }
    const above = isNear(name?.line, line) ? (name?.words ?? []) : [];
    // "… survey of land," / "including control": the text began on the line above.
    const own = /^\P{L}*\p{Ll}/u.test(textOf(text)) ? [...above, ...text] : text;
    const named = /\p{L}{2}/u.test(textOf(text)) ? own : above;
    if (named.length > 0)
      items.push({ page: line.page, text: named, total, line, ...within(tokens.slice(0, -1), total, ahead) });
    name = undefined;
    ahead = {};
  }
  return items;
}

/** Words behind the price: a tax flag is borne, a sentence is not. */
const behind = (line: Line, token: NumberToken): number =>
  line.words.length - 1 - line.words.indexOf(token.words.at(-1)!);

const isNear = (upper: Line | undefined, lower: Line): boolean =>
  upper !== undefined &&
  upper.page === lower.page &&
  lower.bbox.y - (upper.bbox.y + upper.bbox.height) < lower.bbox.height * 1.5;

/** What stands before the figures at the right; an item code or a count before the text is no part of it. */
function textBefore(line: Line, tokens: NumberToken[]): Word[] {
  const figures = new Set(tokens.filter((token) => token.exact).flatMap((token) => token.words));
  const first = line.words.findIndex((word) => figures.has(word));
  const words = first < 0 ? line.words : line.words.slice(0, first);
  const rest = words.filter((word) => !/^(?:x|@|\*|[€$£]|RM|qty)$/i.test(word.text));
  while (rest.length > 1 && /^\d+[x.)]?$/i.test(rest[0]!.text)) rest.shift();
  while (rest.length > 1 && /^\d{1,3}x?$/i.test(rest.at(-1)!.text)) rest.pop();
  return rest;
}

/** Till slips print "3 x 0,95" under the text, in its line, or before it. */
function within(
  tokens: NumberToken[],
  total: NumberToken,
  ahead: ReturnType<typeof factors>,
): ReturnType<typeof factors> {
  const own = factors(tokens, total);
  const { quantity, price } = ahead;
  const fits = quantity && price && sameAmount(quantity.amount * price.amount, total.amount, 0.011);
  return !own.price && fits ? ahead : own;
}

/** The two numbers whose product is the total; else a count at the beginning of the line. */
function factors(
  tokens: NumberToken[],
  total: NumberToken | undefined,
): { quantity?: NumberToken; price?: NumberToken } {
  for (const quantity of tokens) {
    for (const price of tokens) {
      if (quantity === price || !price.exact || (total === undefined && tokens.length > 2)) continue;
      if (total === undefined && !quantity.exact) return { quantity, price };
      if (total && sameAmount(quantity.amount * price.amount, total.amount, 0.011)) return { quantity, price };
    }
  }
  const first = tokens[0];
  return first &&
    total &&
    !first.exact &&
    first.amount > 0 &&
    first.amount < 100 &&
    Number.isInteger(first.amount) &&
    !first.afterText
    ? { quantity: first }
    : {};
}

/** The items right above the sum, without a wide gap between them. */
function lastRun(items: PlainItem[]): PlainItem[] {
  const run: PlainItem[] = [];
  for (const item of [...items].reverse()) {
    const below = run[0];
    const gap = below ? below.line.bbox.y - (item.line.bbox.y + item.line.bbox.height) : 0;
    // A name line and a line of codes may stand between two prices.
    if (below && (below.page !== item.page || gap > item.line.bbox.height * LIST_GAP * 2)) break;
    run.unshift(item);
  }
  return run;
}

const SUMMED = 0.95;
const PLAIN = 0.55;
const ASSUMED = 0.5;

/** `single`: a text with an amount is one of it, as in invoices; a receipt that prints no count leaves it open. */
export function toPlainItem(plain: PlainItem, summed: boolean, single: boolean): LineItem {
  const { page, text, quantity, price, total, line } = plain;
  const multiplied = quantity !== undefined && price !== undefined;
  const certainty = multiplied ? 0.97 : summed ? SUMMED : PLAIN;
  const number = (token: NumberToken | undefined) =>
    token ? cellOf(token.amount, token.words, page, certainty) : missing();
  const discount = EXTRAS_LABEL.test(line.text) || total.amount < 0;
  const item: LineItem = {
    description: cellOf(clean(textOf(text)), text, page, certainty - (discount ? 0.1 : 0.03)),
    quantity: number(quantity),
    unit_price: number(price),
    total: number(total),
  };
  if (multiplied) derive(item);
  else if (single && !quantity && !price) {
    item.quantity = { value: 1, confidence: ASSUMED, bbox: null };
    item.unit_price = { value: total.amount, confidence: ASSUMED, bbox: null };
  }
  return item;
}
