import type { Line } from '../../layout/lines.ts';
import type { ExtractionField } from '../../types.ts';
import type { ExtractContext } from '../context.ts';
import { wordsAt } from '../date-field.ts';
import { fieldOf } from '../field.ts';

/** Names of means of payment on receipts, in the languages of the labels; a brand says more than "card". */
const METHODS: [string, RegExp][] = [
  ['visa', /\bv[il1]sa\b/i],
  ['mastercard', /\bmaster\s?card\b|\bmaster\b/i],
  ['amex', /\bamex\b|american express/i],
  ['maestro', /\bmaestro\b/i],
  ['girocard', /\bgirocard\b|\bec[\s-]?(?:karte|cash|lastschrift)\b/i],
  ['bancontact', /\bbancontact\b/i],
  [
    'mobile_payment',
    /\b(?:apple|google|samsung)\s?pay\b|\btouch ?n ?go\b|\bgrab\s?pay\b|\be-?wallet\b|\bsnapscan\b|\bm-?pesa\b|\balipay\b/i,
  ],
  ['paypal', /\bpaypal\b/i],
  ['debit_card', /\bdebit\b|\bmydebit\b|d[eé]bito/i],
  [
    'card',
    /\bcredit card\b|\bcard\b|\bkarte\b|\bkartenzahlung\b|\bcarte\b|\btarjeta\b|\bcarta\b|\bcart[aã]o\b|\bkaart\b|\bpin\b|\bcb\b|\beftpos\b|\bcredit(?:o)?\b/i,
  ],
  ['cheque', /\bcheque\b|\bcheck\b(?=\s+\d)/i],
  [
    'cash',
    /\bcash\b|\btunai\b|\bbar\b|\bbargeld\b|\besp[eè]ces\b|\befectivo\b|\bcontant[ie]?\b|\bcontanten\b|\bdinheiro\b|\bkontant\b/i,
  ],
];
const CHANGE =
  /\bchange\b|\bbaki\b|r[üu]ckgeld|zur[üu]ck\b|wisselgeld|kleingeld|\brendu\b|\bcambio\b|\bresto\b|\btroco\b/i;
const PAID_BY =
  /\b(?:pa(?:id|y(?:ment|ed)?)(?: (?:by|method|type|mode|via|with))|tender(?: type)?|betaling|zahlungsart|bezahlt mit|mode de paiement|forma de pago|pagamento|betaalmethode)\b/i;
/** Titles and numbers that only carry the word. */
const NOT_TENDER =
  /\bcash\s*(?:ier|bill|sale|inv|memo|receipt|&|and\b|card no)|member|loyalty|gift card|customer copy|\bbar(?:code)?\s*(?:&|and)/i;
const AMOUNT = /\d[.,]\d{2}(?!\d)/;
const CARD_NUMBER =
  /(?:[*xX#•]{2,}[\s-]*)(?<v>\d{4})(?!\d)|\b(?:ending|ends)(?: in| with)?:?\s*(?<w>\d{4})\b|\b\d{4,6}[*xX#•]{2,}(?<u>\d{4})(?!\d)/;

/** payment_method and card_last4. */
export function paymentFields(context: ExtractContext): Record<string, ExtractionField> {
  const fields: Record<string, ExtractionField> = {};
  const card = cardNumber(context.lines);
  if (card) fields['card_last4'] = card;
  const method = paymentMethod(context.lines, card !== undefined);
  if (method) fields['payment_method'] = method;
  return fields;
}

function cardNumber(lines: Line[]): ExtractionField | undefined {
  for (const line of lines) {
    const match = CARD_NUMBER.exec(line.text);
    const digits = match?.groups?.['v'] ?? match?.groups?.['w'] ?? match?.groups?.['u'];
    if (!match || digits === undefined || /\b(?:loyalty|member|points|acc)/i.test(line.text)) continue;
    return fieldOf(digits, wordsAt(line, match.index, match[0].length), line.page, 0.93);
  }
  return undefined;
}

function paymentMethod(lines: Line[], hasCard: boolean): ExtractionField | undefined {
  const change = lines.some((line) => CHANGE.test(line.text) && /[1-9][.,]?\d*\W*$/.test(line.text));
  let best: { score: number; field: ExtractionField } | undefined;
  for (const line of lines) {
    if (NOT_TENDER.test(line.text)) continue;
    for (const [method, pattern] of METHODS) {
      const match = pattern.exec(line.text);
      if (!match) continue;
      const score = tenderScore(line.text, match, method, { change, hasCard });
      if (score > 0.5 && (!best || score > best.score + 0.01)) {
        const words = wordsAt(line, match.index, match[0].length);
        best = { score, field: fieldOf(method, words, line.page, Math.min(0.95, 0.5 + 0.14 * score)) };
      }
      break;
    }
  }
  return best?.field;
}

/** A line that starts with the method and ends with an amount is where the payment is printed. */
function tenderScore(
  text: string,
  match: RegExpExecArray,
  method: string,
  { change, hasCard }: { change: boolean; hasCard: boolean },
): number {
  const before = text.slice(0, match.index);
  let score = 0;
  if (!/\p{L}{3}/u.test(before)) score += 1;
  if (AMOUNT.test(text.slice(match.index))) score += 1;
  if (PAID_BY.test(before)) score += 2;
  if (CHANGE.test(text)) score -= 0.5;
  if (method === 'cash') score += (change ? 1 : 0) - (hasCard ? 0.5 : 0);
  else if (method !== 'card' && method !== 'cheque') score += 0.4;
  if (method !== 'cash' && hasCard) score += 0.6;
  if (text.length > 45 && !AMOUNT.test(text)) score -= 1;
  return score;
}
