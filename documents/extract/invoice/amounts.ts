import type { ExtractionField } from '../../types.ts';
import { roundCents, sameAmount } from '../../values/money.ts';
import { type AmountCandidate, findAmounts } from '../amounts.ts';
import type { ExtractContext } from '../context.ts';
import { fieldOf } from '../field.ts';

type InvoiceRole = 'gross' | 'total' | 'due' | 'net' | 'tax' | 'other' | 'none';

/** The first rule that matches wins. */
const ROLES: [InvoiceRole, RegExp][] = [
  [
    'other',
    /previous|unpaid balance|paid\b|received|anzahlung|acompte|discount|rabatt|remise|skonto|abschl[aä]g|zuschl[aä]g|korting|quantity|\bpcs\b|\bqty\b|saldo alt|deposit|credit applied/,
  ],
  [
    'due',
    /(?:amount|balance|total)\s*(?:is\s*)?(?:due|payable|outstanding)|\bdue\b|payable|zahlbetrag|zahlungsbetrag|[àa] payer|te betalen|outstanding|fällig|forderung|zu zahlen/,
  ],
  [
    'gross',
    /grand|gross|brutto|\bttc\b|\bincl?\b|inclusive|\binkl|incluant|rechnungsbetrag|rechnungssumme(?!.*ohne)|gesamtbetrag|gesamtsumme|endbetrag|(?:invoice|order|credit|note|document)\s*total|total\s*(?:amount|price|invoice|credit|cost|eur|usd|gbp|zar|rm)|montant total|te voldoen|gesamt\s*(?:eur|€)/,
  ],
  [
    'net',
    /subtotal|sub total|\bnet\b|\bnetto\b|\bht\b|hors taxe|excl|zwischensumme|sous.?total|ohne (?:ust|mwst)|positionssumme|untaxed|taxable|warenwert|nettobetrag|basis|before tax|imponibile|base imponible/,
  ],
  [
    'tax',
    /\btax(?:es)?\b|\bvat\b|\bgst\b|\bsst\b|\btva\b|\bbtw\b|mwst|\bust\b|umsatzsteuer|mehrwertsteuer|steuerbetrag|\biva\b|steuer\b|versicherungssteuer/,
  ],
  ['total', /\btotal[e]?\b|\btotaal\b|\bsumme\b|\bgesamt\b/],
];
const ROLE_SCORE: Record<InvoiceRole, number> = { gross: 5, total: 4, due: 3.2, net: 0.5, none: 0, tax: -3, other: -4 };
const DISCOUNT = /discount|rabatt|remise|korting/;
const SHIPPING = /shipping|freight|delivery|versand|fracht|port\b|verzend|livraison|handling/;

interface InvoiceAmount extends AmountCandidate {
  role: InvoiceRole;
}

const roleOf = (text: string): InvoiceRole => ROLES.find(([, pattern]) => pattern.test(text))?.[0] ?? 'none';

/** subtotal, tax, total and what is due: by label, and best in a combination that adds up. */
export function invoiceAmounts(context: ExtractContext): Record<string, ExtractionField> {
  const amounts = findAmounts(context.lines, context.decimal);
  const roled = amounts
    .filter((a) => !a.percent && a.exact)
    .map((a): InvoiceAmount => ({ ...a, role: roleOf(a.label) }));
  const fields: Record<string, ExtractionField> = {};
  const put = (name: string, a: InvoiceAmount | undefined, certainty: number): void => {
    if (a) fields[name] = fieldOf(a.amount, a.words, a.page, certainty);
  };
  const { total, split, certainty } = chooseInvoiceTotal(roled);
  const due = roled.filter((a) => a.role === 'due' && a.last).at(-1);
  const tax = split?.tax ?? byRole(roled, 'tax', total);
  put('total', total, certainty);
  put('subtotal', split?.subtotal ?? byRole(roled, 'net', total), split ? 0.96 : 0.75);
  put('tax', tax, split ? 0.96 : 0.75);
  if (!fields['subtotal'] && total) {
    // Not printed: what is left of the total without its tax.
    const value = roundCents(total.amount - (tax?.amount ?? 0));
    fields['subtotal'] = { value, confidence: tax ? 0.75 : 0.6, bbox: null };
  }
  put('amount_due', due ?? total, due ? 0.92 : 0.8);
  put(
    'discount',
    roled.find((a) => a.last && DISCOUNT.test(a.label)),
    0.75,
  );
  put(
    'shipping',
    roled.find((a) => a.last && SHIPPING.test(a.label)),
    0.75,
  );
  addRate(fields, amounts);
  if (context.currency) fields['currency'] = fieldOf(context.currency.code, [], 1, context.currency.sure ? 0.95 : 0.5);
  return fields;
}

function chooseInvoiceTotal(roled: InvoiceAmount[]): { total?: InvoiceAmount; split?: Split; certainty: number } {
  const labelled = roled.filter((a) => ['gross', 'total', 'due'].includes(a.role)).map((a) => Math.abs(a.amount));
  const largest = Math.max(0, ...labelled);
  const scored = roled
    .filter((a) => a.amount !== 0)
    .map((a) => {
      const split = bestSplit(roled, a);
      const repeats = roled.filter(
        (other) => other !== a && sameAmount(other.amount, a.amount) && other.role !== 'none',
      ).length;
      const score =
        ROLE_SCORE[a.role] +
        (split ? 2.5 : 0) +
        (a.last ? 0 : -1.5) +
        0.4 * Math.min(3, repeats) +
        (sameAmount(Math.abs(a.amount), largest) ? 0.6 : 0) +
        (a.sameLine ? 0.5 : 0);
      return { total: a, split, score };
    })
    .sort((x, y) => y.score - x.score || y.total.line.index - x.total.line.index);
  const best = scored[0];
  if (!best) return { certainty: 0 };
  const rival = scored.find((other) => !sameAmount(other.total.amount, best.total.amount));
  const lead = rival ? best.score - rival.score : 3;
  const certainty = Math.min(0.98, 0.45 + 0.06 * Math.max(0, best.score) + 0.05 * Math.min(2, lead));
  return { total: best.total, certainty, ...(best.split ? { split: best.split } : {}) };
}

interface Split {
  subtotal: InvoiceAmount;
  tax: InvoiceAmount;
  score: number;
}

function bestSplit(roled: InvoiceAmount[], total: InvoiceAmount): Split | undefined {
  // The amounts of a credit are all negative, or all positive.
  const sign = Math.sign(total.amount);
  const pool = roled.filter((a) => a.amount * sign > 0 && Math.abs(a.amount) < Math.abs(total.amount) + 0.005);
  const extras = [0, ...roled.filter((a) => SHIPPING.test(a.label)).map((a) => a.amount)];
  let best: Split | undefined;
  for (const tax of pool) {
    if (Math.abs(tax.amount) > Math.abs(total.amount) * 0.4) continue;
    for (const subtotal of pool) {
      if (subtotal === tax || Math.abs(subtotal.amount) < Math.abs(total.amount) * 0.5) continue;
      if (!extras.some((extra) => sameAmount(subtotal.amount + tax.amount + extra, total.amount, 0.011))) continue;
      const score =
        (tax.role === 'tax' ? 2 : 0) +
        (tax.role === 'other' || subtotal.role === 'other' ? -2 : 0) +
        (subtotal.role === 'net' ? 2 : 0) +
        (tax.last ? 0.5 : 0) +
        tax.line.index / 1e4;
      if (score > (best?.score ?? 0.9)) best = { subtotal, tax, score };
    }
  }
  return best;
}

function byRole(
  roled: InvoiceAmount[],
  role: 'net' | 'tax',
  total: InvoiceAmount | undefined,
): InvoiceAmount | undefined {
  const limit = (total?.amount ?? Infinity) * (role === 'tax' ? 0.5 : 1.5);
  const found = roled.filter((a) => a.role === role && a.exact && a.last && Math.abs(a.amount) <= limit);
  return role === 'tax' ? found.at(-1) : found[0];
}

function addRate(fields: Record<string, ExtractionField>, amounts: ReturnType<typeof findAmounts>): void {
  const tax = fields['tax'];
  if (!tax) return;
  const line = amounts.find((a) => sameAmount(a.amount, tax.value as number) && /%/.test(a.line.text))?.line.text;
  const printed = line ? /(\d{1,2}(?:[.,]\d{1,2})?)\s?%/.exec(line)?.[1] : undefined;
  const base = fields['subtotal']?.value;
  if (printed !== undefined) tax.tax_rate = Number(printed.replace(',', '.'));
  else if (typeof base === 'number' && base > 0) {
    const rate = roundCents(((tax.value as number) / base) * 100);
    if (Math.abs(rate * 2 - Math.round(rate * 2)) < 0.05 && rate > 0.5 && rate < 30)
      tax.tax_rate = Math.round(rate * 2) / 2;
  }
  if (tax.tax_rate !== undefined) fields['tax_rate'] = { ...tax, value: tax.tax_rate };
}
