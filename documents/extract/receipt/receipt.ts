import { textOf } from '../../layout/lines.ts';
import type { ExtractionField } from '../../types.ts';
import { roundCents, sameAmount } from '../../values/money.ts';
import { addressLines, trimAddress } from '../address.ts';
import { findAmounts } from '../amounts.ts';
import type { ExtractContext } from '../context.ts';
import { fieldOf } from '../field.ts';
import { receiptDate } from './date.ts';
import { findMerchant } from './merchant.ts';
import { paymentFields } from './payment.ts';
import { type AmountRole, chooseTotal, type RoledAmount, roleOf } from './total.ts';

const HEAD_LIMIT = 20;

export function extractReceipt(context: ExtractContext): Record<string, ExtractionField> {
  return {
    ...merchantFields(context),
    ...paymentFields(context),
    ...dateFields(context),
    ...amountFields(context),
  };
}

function merchantFields(context: ExtractContext): Record<string, ExtractionField> {
  const fields: Record<string, ExtractionField> = {};
  const merchant = findMerchant(context.lines);
  if (merchant) {
    const words = merchant.lines.flatMap((line) => line.words);
    fields['merchant_name'] = fieldOf(merchant.name, words, merchant.lines[0]!.page, merchant.certainty);
  }
  const after = merchant ? merchant.lines.at(-1)!.index + 1 : 0;
  const until = Math.min(context.lines.length, HEAD_LIMIT);
  const below = addressLines(context.lines, after, until);
  const address = below.length > 0 ? below : addressLines(context.lines, 0, until);
  if (address.length > 0) {
    const text = address.map((line) => trimAddress(line.text)).join(', ');
    const words = address.flatMap((line) => line.words);
    fields['merchant_address'] = fieldOf(text, words, address[0]!.page, address.length > 1 ? 0.85 : 0.7);
  }
  return fields;
}

function dateFields(context: ExtractContext): Record<string, ExtractionField> {
  const date = receiptDate(context);
  return date ? { date } : {};
}

function amountFields(context: ExtractContext): Record<string, ExtractionField> {
  const amounts = findAmounts(context.lines, context.decimal);
  const fields: Record<string, ExtractionField> = {};
  const choice = chooseTotal(amounts);
  if (choice) {
    const { candidate, certainty } = choice;
    fields['total'] = fieldOf(candidate.amount, candidate.words, candidate.page, certainty);
  }
  const total = choice?.candidate.amount;
  const roled = amounts.map((amount): RoledAmount => ({ ...amount, role: roleOf(amount.label) }));
  const put = (name: string, role: AmountRole, certainty: number, fits: (a: RoledAmount) => boolean): void => {
    const found = roled.filter((a) => a.role === role && a.exact && a.last && !a.percent && fits(a)).at(-1);
    if (found) fields[name] = fieldOf(found.amount, found.words, found.page, certainty);
  };
  put('subtotal', 'subtotal', 0.85, (a) => total === undefined || a.amount <= total * 1.5);
  put('tax', 'tax', 0.75, (a) => total === undefined || a.amount < total * 0.35);
  put('tip', 'tip', 0.85, () => true);
  put('change', 'change', 0.85, () => true);
  put('cash', 'cash', 0.8, (a) => total === undefined || a.amount >= total - 0.05);
  addTaxRate(fields, roled);
  if (context.currency) fields['currency'] = fieldOf(context.currency.code, [], 1, context.currency.sure ? 0.95 : 0.5);
  return fields;
}

/** The rate printed beside the tax, or the one that the amounts give when it is a whole number. */
function addTaxRate(fields: Record<string, ExtractionField>, amounts: RoledAmount[]): void {
  const tax = fields['tax'];
  if (!tax) return;
  const line = amounts.find((a) => a.role === 'tax' && a.exact && sameAmount(a.amount, tax.value as number))?.line;
  const printed = line ? /(\d{1,2}(?:[.,]\d{1,2})?)\s?%/.exec(textOf(line.words))?.[1] : undefined;
  const base = fields['subtotal']?.value;
  if (printed !== undefined) tax.tax_rate = Number(printed.replace(',', '.'));
  else if (typeof base === 'number' && base > 0) {
    const rate = roundCents(((tax.value as number) / base) * 100);
    if (Math.abs(rate - Math.round(rate)) < 0.05 && rate > 0.5 && rate < 30) tax.tax_rate = Math.round(rate);
  }
}
