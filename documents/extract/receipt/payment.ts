import type { ExtractionField } from '../../types.ts';
import type { ExtractContext } from '../context.ts';
import { wordsAt } from '../date-field.ts';
import { fieldOf } from '../field.ts';

interface PatternField {
  name: string;
  /** The value is the group `v`. */
  pattern: RegExp;
  certainty: number;
  clean?: (value: string) => unknown;
}

const METHODS: [RegExp, string][] = [
  [/visa/i, 'visa'],
  [/master/i, 'mastercard'],
  [/amex|american express/i, 'amex'],
  [/maestro/i, 'maestro'],
  [/debit/i, 'debit_card'],
  [/credit|card/i, 'card'],
  [/cheque|check/i, 'cheque'],
  [/.*/, 'cash'],
];

const FIELDS: PatternField[] = [
  {
    name: 'merchant_phone',
    pattern:
      /\b(?:te[l1i](?:ephone)?|phone|ph|h\/?p|contact|t)\b\s*(?:no)?\s*[.:;#]*\s*(?<v>\+?\(?\d[\d\s()/-]{6,16}\d)/i,
    certainty: 0.93,
    clean: (value) => value.split('/')[0]!.trim().replace(/\s+/g, ' '),
  },
  {
    name: 'merchant_tax_number',
    pattern:
      /\b(?:g[s5]t|sst|vat|tva|btw|ust-?id(?:nr)?|tax)\b\s*(?:reg(?:istration)?)?\.?\s*(?:id|no|number|nr|#)?\s*[.:;#=]*\s*(?:no)?[.:;]*\s*(?<v>[A-Z]{0,3}\d[\d ]{6,16}[\dA-Z])/i,
    certainty: 0.9,
    clean: (value) => value.replace(/\s/g, ''),
  },
  {
    name: 'receipt_number',
    pattern:
      /\b(?:receipt|rece[il]pt|inv(?:o[il]ce)?|bi[l1]{2}|check|chit|document|doc|trans(?:action)?|order|slip|cs|ticket)\s*(?:no|n0|num(?:ber)?|nr|#|id)?\s*[.:;#=]*\s*(?<v>[A-Z0-9][A-Z0-9/-]*\d[A-Z0-9/-]*)/i,
    certainty: 0.8,
  },
  {
    name: 'time',
    pattern: /(?<![\d:])(?<v>[0-2]?\d:[0-5]\d(?::[0-5]\d)?\s?(?:[AP]M)?)\b/i,
    certainty: 0.9,
    clean: toTime,
  },
  { name: 'card_last4', pattern: /[*xX#]{4,}[-\s]*(?<v>\d{4})\b/, certainty: 0.93 },
  {
    name: 'payment_method',
    pattern:
      /^\W*(?<v>visa|master\s?card|mastercard|amex|american express|maestro|debit card|credit card|cash|tunai|card)\b/i,
    certainty: 0.8,
    clean: (value) => METHODS.find(([pattern]) => pattern.test(value))?.[1],
  },
];

/** Fields that a label and a form tell apart; the first match on the page counts. */
export function paymentFields(context: ExtractContext): Record<string, ExtractionField> {
  const fields: Record<string, ExtractionField> = {};
  for (const { name, pattern, certainty, clean } of FIELDS) {
    for (const line of context.lines) {
      const match = pattern.exec(line.text);
      const text = match?.groups?.['v'];
      if (!match || text === undefined) continue;
      const at = match.index + match[0].lastIndexOf(text);
      const value = clean ? clean(text) : text.trim();
      if (value === undefined || value === '') continue;
      fields[name] = fieldOf(value, wordsAt(line, at, text.length), line.page, certainty);
      break;
    }
  }
  return fields;
}

/** 24-hour HH:MM or HH:MM:SS. */
function toTime(text: string): string | undefined {
  const match = /^(\d{1,2}):(\d{2})(?::(\d{2}))?\s?([AP]M)?$/i.exec(text.trim());
  if (!match) return undefined;
  let hour = Number(match[1]);
  const half = match[4]?.toUpperCase();
  if (half === 'PM' && hour < 12) hour += 12;
  if (half === 'AM' && hour === 12) hour = 0;
  if (hour > 23) return undefined;
  return `${String(hour).padStart(2, '0')}:${String(match[2])}${match[3] ? `:${match[3]}` : ''}`;
}
