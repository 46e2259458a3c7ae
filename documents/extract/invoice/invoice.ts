import type { ExtractionField } from '../../types.ts';
import { findDates } from '../../values/dates.ts';
import type { ExtractContext } from '../context.ts';
import { findDateCandidates } from '../date-field.ts';
import { fieldOf } from '../field.ts';
import { labelledValues, readIdentifier, type ValueReader } from '../labels.ts';
import { invoiceAmounts } from './amounts.ts';
import { labels, numberLabels } from './labels.ts';
import { findParties, partyFields } from './parties.ts';

/** Names of the number and the date of each type of document that is laid out like an invoice. */
const NAMES: Record<string, { number: string; date: string; purchaseOrder: string }> = {
  invoice: { number: 'invoice_number', date: 'invoice_date', purchaseOrder: 'purchase_order_number' },
  bill: { number: 'invoice_number', date: 'invoice_date', purchaseOrder: 'purchase_order_number' },
  credit_note: { number: 'credit_note_number', date: 'credit_note_date', purchaseOrder: 'purchase_order_number' },
  purchase_order: { number: 'purchase_order_number', date: 'order_date', purchaseOrder: 'purchase_order_number' },
  delivery_note: { number: 'delivery_note_number', date: 'delivery_date', purchaseOrder: 'purchase_order_number' },
};

export function extractInvoice(context: ExtractContext, type: string): Record<string, ExtractionField> {
  const names = NAMES[type] ?? NAMES['invoice']!;
  const fields: Record<string, ExtractionField> = {};
  const put = (name: string, field: ExtractionField | undefined): void => {
    if (field && !(name in fields)) fields[name] = field;
  };
  const first = <T>(
    label: RegExp,
    read: ValueReader<T>,
    certainty: number,
    not?: unknown,
  ): ExtractionField | undefined => {
    const found = labelledValues(context.lines, label, read).filter((v) => v.value !== not);
    const best = found.find((v) => v.place === 'right') ?? found[0];
    return best
      ? fieldOf(best.value, best.words, best.page, best.place === 'right' ? certainty : certainty * 0.95)
      : undefined;
  };
  put(names.number, first(numberLabels[type] ?? numberLabels['invoice']!, readIdentifier, 0.95));
  put(names.purchaseOrder, first(labels.purchaseOrder, readIdentifier, 0.9, fields[names.number]?.value));
  if (type === 'credit_note') {
    put('original_invoice_number', first(labels.originalInvoice, readIdentifier, 0.9, fields[names.number]?.value));
    if (fields[names.number]) put('invoice_number', fields[names.number]);
  }
  const due = first(labels.dueDate, dateReader(context), 0.95);
  const labelled =
    first(labels.ownDate, dateReader(context), 0.97) ??
    first(labels.dateInTitle, dateReader(context), 0.95) ??
    first(labels.date, dateReader(context), 0.9, due?.value);
  put(names.date, documentDate(context, labelled));
  put('due_date', due);
  put('vendor_tax_number', first(labels.taxNumber, readTaxNumber, 0.9));
  const vat = first(labels.vatNumber, readTaxNumber, 0.9);
  put('vendor_vat_number', vat);
  put('account_number', first(labels.account, readIdentifier, 0.85));
  put('payment_terms', first(labels.terms, readText, 0.8));
  Object.assign(fields, patternFields(context), partyFields(findParties(context.lines)), invoiceAmounts(context));
  return fields;
}

const dateReader =
  (context: ExtractContext): ValueReader<string> =>
  (text) => {
    const match = findDates(text, context.dateOrder)[0];
    return match && match.index <= 12 ? { value: match.iso, index: match.index, length: match.length } : undefined;
  };

const readTaxNumber: ValueReader<string> = (text) => {
  const match = /^(?<v>[A-Z]{0,3}[\s-]?\d[\dA-Z]*(?:[\s./-]?\d[\dA-Z]*)*)/i.exec(text);
  const value = match?.groups?.['v'];
  if (!value || value.replace(/\D/g, '').length < 7 || /^\d+[.,]\d{2}$/.test(value)) return undefined;
  return { value: value.replace(/[\s]/g, ''), index: 0, length: value.length };
};

const readText: ValueReader<string> = (text) => {
  const value = text.slice(0, 80).trim();
  return /\p{L}{2}|\d/u.test(value) ? { value, index: 0, length: value.length } : undefined;
};

/** No label: the first date of the page that no other label claims. */
function documentDate(context: ExtractContext, labelled: ExtractionField | undefined): ExtractionField | undefined {
  if (labelled) return labelled;
  const claimed = /due|fällig|échéance|deliver|liefer|leistung|period|zeitraum|from|until|bis|birth|order/;
  const candidate = findDateCandidates(context).find((c) => !claimed.test(c.label));
  return candidate ? fieldOf(candidate.iso, candidate.words, candidate.line.page, 0.6) : undefined;
}

const PATTERNS: [string, RegExp, number][] = [
  ['iban', /\b[A-Z]{2}\d{2}(?:\s?[A-Z0-9]{4}){2,7}(?:\s?[A-Z0-9]{1,4})?\b/, 0.93],
  ['swift', /(?<=\b(?:bic|swift)(?:[\s/-]*(?:code|bic))?[\s:.]*)[A-Z]{6}[A-Z0-9]{2}(?:[A-Z0-9]{3})?\b/i, 0.9],
  ['vendor_email', /[\w.+-]+@[\w-]+(?:\.[\w-]+)+/, 0.8],
  ['vendor_phone', /(?<=\b(?:te[l1](?:efon|ephone)?|phone|ph|tél)\b[\s.:]*)\+?[\d(][\d\s()/.-]{6,18}\d/i, 0.8],
];

function patternFields(context: ExtractContext): Record<string, ExtractionField> {
  const fields: Record<string, ExtractionField> = {};
  for (const [name, pattern, certainty] of PATTERNS) {
    for (const line of context.lines) {
      const match = pattern.exec(line.text);
      if (!match || (name === 'iban' && !validIban(match[0]))) continue;
      const words = line.words.filter((word) => match[0].includes(word.text));
      fields[name] = fieldOf(
        name === 'iban' ? match[0].replace(/\s/g, '') : match[0].trim(),
        words,
        line.page,
        certainty,
      );
      break;
    }
  }
  return fields;
}

/** ISO 13616: the rearranged number modulo 97 is 1. Specimens with wrong check digits are common, so length decides too. */
function validIban(text: string): boolean {
  const iban = text.replace(/\s/g, '');
  return iban.length >= 15 && iban.length <= 34;
}
