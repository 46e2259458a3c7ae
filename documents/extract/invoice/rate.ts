import type { Line } from '../../layout/lines.ts';
import type { ExtractionField } from '../../types.ts';
import { roundCents } from '../../values/money.ts';
import { wordsAt } from '../date-field.ts';
import { fieldOf } from '../field.ts';
import { fold } from '../labels.ts';
import type { Split } from './split.ts';

const PERCENT = /(?<rate>\d{1,2}(?:[.,]\d{1,3})?)\s?%/;
const TAX_WORD =
  /\b(?:tax|vat|gst|tva|btw|mwst|ust|iva|moms|mva|sst|hst|taxe|imposto|imposta|impuesto|igic|cgst|sgst)\b|steuer|belasting/;

/** The rate of the tax, in percent: printed on its line, else tax over net where that is a usual number. */
export function taxRate(
  lines: Line[],
  fields: Record<string, ExtractionField>,
  split: Split | undefined,
): ExtractionField | undefined {
  const tax = fields['tax'];
  if (typeof tax?.value !== 'number') return undefined;
  // Several rates have no single one.
  if (split && split.taxes.length > 1) return undefined;
  const base = fields['subtotal']?.value;
  const computed = typeof base === 'number' && base !== 0 ? roundCents((tax.value / base) * 100) : undefined;
  const printed = printedRates(lines);
  const agreed = printed.find(({ rate }) => computed !== undefined && Math.abs(rate - computed) < 0.15);
  if (agreed) return fieldOf(agreed.rate, agreed.words, agreed.page, 0.95);
  const distinct = new Set(printed.map(({ rate }) => rate));
  const only = printed[0];
  if (only && distinct.size === 1 && computed === undefined) return fieldOf(only.rate, only.words, only.page, 0.7);
  if (computed === undefined || computed < 0.5 || computed > 30) return undefined;
  const usual = Math.round(computed * 2) / 2;
  return Math.abs(usual - computed) < 0.06 ? { value: usual, confidence: 0.7, bbox: tax.bbox } : undefined;
}

function printedRates(lines: Line[]): { rate: number; words: Line['words']; page: number }[] {
  return lines.flatMap((line) => {
    const match = TAX_WORD.test(fold(line.text)) ? PERCENT.exec(line.text) : null;
    const text = match?.groups?.['rate'];
    if (!match || text === undefined) return [];
    const rate = Number(text.replace(',', '.'));
    return rate <= 35 ? [{ rate, words: wordsAt(line, match.index, match[0].length), page: line.page }] : [];
  });
}
