import type { Line } from '../../layout/lines.ts';
import type { ExtractionField } from '../../types.ts';
import type { ExtractContext } from '../context.ts';
import { amountFields } from './amount-fields.ts';
import { receiptCurrency } from './currency.ts';
import { receiptDate } from './date.ts';
import { identifierFields } from './identifiers.ts';
import { merchantFields } from './merchant-fields.ts';
import { paymentFields } from './payment.ts';
import { receiptTime } from './time.ts';

/** The fields of a till receipt (decisions §9): who sold, when, what was paid and how. */
export function extractReceipt(whole: ExtractContext): Record<string, ExtractionField> {
  const lines = whole.lines.map(bounded);
  const context = { ...whole, lines, text: lines.map((line) => line.text).join('\n') };
  const date = receiptDate(context);
  const optional = { date, time: receiptTime(context, date), currency: receiptCurrency(context) };
  return {
    ...merchantFields(context.lines),
    ...identifierFields(context),
    ...paymentFields(context),
    ...amountFields(context),
    ...Object.fromEntries(
      Object.entries(optional).flatMap(([name, field]) => (field === undefined ? [] : [[name, field]])),
    ),
  };
}

/** A till prints some 40 characters a line, a page 120; a line far beyond is made to keep a reader busy. */
const LONGEST_LINE = 400;

/** Lines keep their places, so that neighbours stay neighbours. */
const bounded = (line: Line): Line =>
  line.text.length <= LONGEST_LINE ? line : { ...line, text: '', words: [], segments: [] };
