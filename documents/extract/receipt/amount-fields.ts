import { textOf } from '../../layout/lines.ts';
import type { ExtractionField } from '../../types.ts';
import { roundCents, sameAmount } from '../../values/money.ts';
import { findAmounts } from '../amounts.ts';
import type { ExtractContext } from '../context.ts';
import { fieldOf, roundConfidence } from '../field.ts';
import { type AmountRole, type RoledAmount, withRole } from './roles.ts';
import { chooseTotal } from './total.ts';

type Fields = Record<string, ExtractionField>;

/** A tax is no more than this share of what was paid (Hungary's 27% of the net price is 21% of the gross). */
const LARGEST_TAX_SHARE = 0.25;

const CASH =
  /cash|tender|tunai|\bbar|esp[eè]ces|contant|efectivo|dinheiro|kontant|numer[aá]rio|gegeben|received|entregado/;
const LARGEST_TIP_SHARE = 0.35;

/** Totals are at the end; a receipt has fewer amounts than this. */
const MOST_AMOUNTS = 800;

/** total, subtotal, tax (with its rate), tip, cash, change. */
export function amountFields(context: ExtractContext): Fields {
  const amounts = findAmounts(context.lines, context.decimal).slice(-MOST_AMOUNTS).map(withRole);
  const fields: Fields = {};
  const choice = chooseTotal(amounts);
  if (choice) fields['total'] = fieldOf(choice.amount, choice.candidate.words, choice.candidate.page, choice.certainty);
  const total = choice?.amount;
  const put = (name: string, role: AmountRole, certainty: number, fits: (amount: number) => boolean): void => {
    const found = amounts.filter((a) => a.role === role && a.exact && a.last && !a.percent && fits(a.amount));
    const best = found.find((a) => a.sameLine) ?? found[0];
    if (best) fields[name] = fieldOf(Math.abs(best.amount), best.words, best.page, certainty);
  };
  const size = total === undefined ? undefined : Math.abs(total);
  put('tip', 'tip', 0.85, (amount) => size === undefined || amount < size);
  put('change', 'change', 0.85, () => true);
  // "Paid" alone may be by card; with change behind it, it was cash.
  if (fields['change'] || amounts.some((a) => a.role === 'cash' && CASH.test(a.label)))
    put('cash', 'cash', 0.8, (amount) => amount > 0 && (size === undefined || amount >= size - 0.05));
  putSubtotal(fields, amounts, total);
  putTax(fields, amounts, total);
  agree(fields);
  const tip = fields['tip'] ? undefined : unreadTip(fields, context);
  if (tip) fields['tip'] = tip;
  return fields;
}

/** A tip is named, but its amount can't be read (tips are written by hand): what subtotal and tax leave of the total. */
function unreadTip(fields: Fields, { lines }: ExtractContext): ExtractionField | undefined {
  const line = lines.find(({ text }) => /^\W*(?:tip|gratuity|pourboire|trinkgeld|propina|fooi)\b/i.test(text));
  const [total, base] = [fields['total']?.value, fields['subtotal']?.value];
  if (!line || typeof total !== 'number' || typeof base !== 'number' || !/\d/.test(line.text)) return undefined;
  const rest = roundCents(total - base - ((fields['tax']?.value as number | undefined) ?? 0));
  return rest > 0 && rest <= base * LARGEST_TIP_SHARE ? fieldOf(rest, line.words, line.page, 0.65) : undefined;
}

/** The last one: a subtotal after a discount or a rounding is nearer to what is paid. */
function putSubtotal(fields: Fields, amounts: RoledAmount[], total: number | undefined): void {
  const found = amounts.filter(
    (a) => a.role === 'subtotal' && a.exact && a.last && !a.percent && (total === undefined || a.amount <= total * 1.5),
  );
  const best = found.at(-1);
  if (best) fields['subtotal'] = fieldOf(best.amount, best.words, best.page, 0.8);
}

/** The tax that the subtotal and the total explain, else the last of a line that names a tax. */
function putTax(fields: Fields, amounts: RoledAmount[], total: number | undefined): void {
  const base = fields['subtotal']?.value;
  const found = amounts.filter(
    (a) =>
      a.role === 'tax' &&
      a.exact &&
      a.last &&
      !a.percent &&
      (total === undefined || Math.abs(a.amount) <= Math.abs(total) * LARGEST_TAX_SHARE),
  );
  const explained = found.find(
    (a) => typeof base === 'number' && total !== undefined && sameAmount(base + a.amount, total, 0.05),
  );
  const best = explained ?? found.filter((a) => a.sameLine).at(-1) ?? found.at(-1);
  if (!best) return;
  const tax = fieldOf(best.amount, best.words, best.page, explained && best.amount > 0 ? 0.95 : 0.75);
  const rate = rateOf(best, typeof base === 'number' ? base : undefined, total);
  fields['tax'] = rate === undefined ? tax : { ...tax, tax_rate: rate };
}

/** The rate printed beside the tax, or the one that the amounts give when it is a whole number. */
function rateOf(tax: RoledAmount, base: number | undefined, total: number | undefined): number | undefined {
  const printed = /(?<![\d.,])(\d{1,2}(?:[.,]\d{1,2})?)\s?%/.exec(textOf(tax.line.words))?.[1];
  if (printed !== undefined) return Number(printed.replace(',', '.'));
  const bases = [base, total === undefined ? undefined : total - tax.amount];
  for (const net of bases) {
    if (net === undefined || net <= 0) continue;
    const rate = roundCents((tax.amount / net) * 100);
    if (Math.abs(rate - Math.round(rate)) < 0.05 && rate > 0.5 && rate < 30) return Math.round(rate);
  }
  return undefined;
}

/** Amounts that add up are surer than each alone. */
function agree(fields: Fields): void {
  const value = (name: string): number | undefined => fields[name]?.value as number | undefined;
  const raise = (...names: string[]): void => {
    for (const name of names) {
      const field = fields[name];
      if (field) fields[name] = { ...field, confidence: roundConfidence(field.confidence * 1.15) };
    }
  };
  const [total, cash, change, base] = [value('total'), value('cash'), value('change'), value('subtotal')];
  if (total === undefined) return;
  if (cash !== undefined && change !== undefined && sameAmount(cash - change, total, 0.05)) raise('cash', 'change');
  const added = (value('tax') ?? 0) + (value('tip') ?? 0);
  if (base !== undefined && (sameAmount(base + added, total, 0.05) || sameAmount(base, total, 0.05))) {
    raise('subtotal', 'tip');
  }
}
