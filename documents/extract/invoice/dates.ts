import type { ExtractionField } from '../../types.ts';
import { findDates } from '../../values/dates.ts';
import type { ExtractContext } from '../context.ts';
import { findDateCandidates } from '../date-field.ts';
import { fieldOf } from '../field.ts';
import { fold, labelledValues, labelMatches, type LabelledValue, type ValueReader } from '../labels.ts';
import {
  anyDate,
  dateTiers,
  deliveryDateTiers,
  dueDateTiers,
  dueOnReceipt,
  orderDateTiers,
  termsDays,
  termsLabel,
  type Tier,
} from './lexicon.ts';

const NAMES: Record<string, string> = {
  credit_note: 'credit_note_date',
  purchase_order: 'order_date',
  delivery_note: 'delivery_date',
};
/** A date that these words stand before is not the document's own. */
const CLAIMED =
  /due|fallig|echeance|deliver|liefer|leistung|period|zeitraum|from|until|\bbis\b|birth|order|vencim|scadenza|verval|print|version|stand\b/;
/** A numeric date whose day and month can change places, where nothing on the document tells which is which. */
const AMBIGUOUS_FACTOR = 0.75;

type DateValue = LabelledValue<DateReading>;
interface DateReading {
  iso: string;
  ambiguous: boolean;
}

/** The document's date, the day it is to be paid, the day of delivery, and the payment terms. */
export function dateFields(context: ExtractContext, type: string): Record<string, ExtractionField> {
  const fields = readDates(context, type);
  if (context.dateOrderSure || isInOrder(fields, type)) return fields;
  // 03/04/2024, due 04/03/2024: only one order of day and month has the due date after the other.
  const dateOrder = context.dateOrder === 'dmy' ? 'mdy' : 'dmy';
  const turned = readDates({ ...context, dateOrder, dateOrderSure: true }, type);
  return isInOrder(turned, type) ? turned : fields;
}

const isInOrder = (fields: Record<string, ExtractionField>, type: string): boolean => {
  const date = fields[NAMES[type] ?? 'invoice_date']?.value;
  const due = fields['due_date']?.value;
  return typeof date !== 'string' || typeof due !== 'string' || date <= due;
};

function readDates(context: ExtractContext, type: string): Record<string, ExtractionField> {
  const fields: Record<string, ExtractionField> = {};
  const own =
    type === 'purchase_order'
      ? [...orderDateTiers, ...dateTiers]
      : type === 'delivery_note'
        ? [...deliveryDateTiers, ...dateTiers]
        : dateTiers;
  const due = type === 'delivery_note' ? undefined : firstOf(context, dueDateTiers);
  const date = firstOf(context, own) ?? anyLabelled(context, due) ?? unlabelled(context);
  if (date) fields[NAMES[type] ?? 'invoice_date'] = date;
  if (due) fields['due_date'] = due;
  if (type === 'purchase_order') put(fields, 'delivery_date', firstOf(context, deliveryDateTiers));
  const terms = paymentTerms(context);
  put(fields, 'payment_terms', terms);
  if (!due && ['invoice', 'bill'].includes(type)) put(fields, 'due_date', dueByTerms(context, date, terms));
  return fields;
}

function put(fields: Record<string, ExtractionField>, name: string, field: ExtractionField | undefined): void {
  if (field) fields[name] = field;
}

const dateReader =
  (context: ExtractContext): ValueReader<DateReading> =>
  (text) => {
    const match = findDates(text.slice(0, 60), context.dateOrder)[0];
    if (!match || match.index > 14 || /\d{3}/.test(text.slice(0, match.index))) return undefined;
    return { value: { iso: match.iso, ambiguous: match.ambiguous }, index: match.index, length: match.length };
  };

function firstOf(context: ExtractContext, tiers: Tier[]): ExtractionField | undefined {
  for (const { label, certainty } of tiers) {
    const found = labelledValues(context.lines, label, dateReader(context));
    const best = found.find((v) => v.place === 'right') ?? found[0];
    if (best) return toField(context, best, certainty);
  }
  return undefined;
}

function anyLabelled(context: ExtractContext, due: ExtractionField | undefined): ExtractionField | undefined {
  const found = labelledValues(context.lines, anyDate, dateReader(context));
  const other = found.filter((v) => v.value.iso !== due?.value);
  const pool = other.length > 0 ? other : found;
  const best = pool.find((v) => v.place === 'right') ?? pool[0];
  return best && toField(context, best, 0.9);
}

function toField(context: ExtractContext, found: DateValue, certainty: number): ExtractionField {
  // Only English is written in both orders.
  const unsure = found.value.ambiguous && !context.dateOrderSure && context.language === 'en' ? AMBIGUOUS_FACTOR : 1;
  const placed = found.place === 'right' ? 1 : 0.96;
  return fieldOf(found.value.iso, found.words, found.page, certainty * unsure * placed);
}

/** No label: the first date of the page that no other label claims. */
function unlabelled(context: ExtractContext): ExtractionField | undefined {
  const candidate = findDateCandidates(context).find((c) => !CLAIMED.test(fold(c.label)));
  return candidate && fieldOf(candidate.iso, candidate.words, candidate.line.page, 0.6);
}

/** Terms speak of days; a heading of a column, or over a page of small print, has none beside it. */
const readTerms: ValueReader<string> = (text) => {
  const value = (text.split(/\s{2,}|;|\. /)[0] ?? '').slice(0, 80).trim();
  const folded = fold(value);
  const days = termsDays.exec(folded) ?? dueOnReceipt.exec(folded);
  return days && days.index < 40 ? { value, index: 0, length: value.length } : undefined;
};
const readAnyTerms: ValueReader<string> = (text) => {
  const value = text.slice(0, 40).trim();
  return /^\p{L}{2}/u.test(value) && !value.includes(':') ? { value, index: 0, length: value.length } : undefined;
};

function paymentTerms(context: ExtractContext): ExtractionField | undefined {
  const best = labelledValues(context.lines, termsLabel, readTerms)[0];
  if (best) return fieldOf(best.value, best.words, best.page, 0.85);
  const withColon = new RegExp(`(?:${termsLabel.source})(?=\\s*:)`, 'i');
  const short = labelledValues(context.lines, withColon, readAnyTerms).find((v) => v.place === 'right');
  return short && fieldOf(short.value, short.words, short.page, 0.55);
}

/** Not printed, but agreed: the date of the document and the days of its terms. */
function dueByTerms(
  context: ExtractContext,
  date: ExtractionField | undefined,
  terms: ExtractionField | undefined,
): ExtractionField | undefined {
  if (!date) return undefined;
  const line = context.lines.find((one) => isPaymentSentence(one.text) && daysIn(one.text) !== undefined);
  const days = typeof terms?.value === 'string' ? daysIn(terms.value) : undefined;
  const found = days ?? (line ? daysIn(line.text) : undefined);
  if (found === undefined || found > 180) return undefined;
  const due = new Date(`${String(date.value)}T00:00:00Z`);
  due.setUTCDate(due.getUTCDate() + found);
  const source = days === undefined ? line : undefined;
  const field = fieldOf(due.toISOString().slice(0, 10), source?.words ?? [], source?.page ?? 1, 0.65);
  return days === undefined ? field : { ...field, bbox: terms?.bbox ?? null };
}

const isPaymentSentence = (text: string): boolean =>
  /\bpay(?:ment|able|ments)?\b|\bzahl|\buberweis|\bpaiement|\bregl|\bpag[oa]|\bbeta(?:al|len|ling)/.test(fold(text)) &&
  !/interest|verzug|penal|late\b|skonto|discount|escompte|refund|return/.test(fold(text));

function daysIn(text: string): number | undefined {
  const folded = fold(text);
  if (labelMatches(folded, dueOnReceipt).length > 0) return 0;
  const groups = termsDays.exec(folded)?.groups;
  const days = groups?.['net'] ?? groups?.['within'] ?? groups?.['days'];
  return days === undefined ? undefined : Number(days);
}
