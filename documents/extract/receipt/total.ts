import { meanConfidence } from '../../layout/lines.ts';
import { sameAmount } from '../../values/money.ts';
import type { AmountCandidate } from '../amounts.ts';

/** What a line's label says its amount is; the first rule that matches wins. */
export type AmountRole =
  | 'change'
  | 'rounding'
  | 'discount'
  | 'count'
  | 'tax'
  | 'subtotal'
  | 'tip'
  | 'service'
  | 'grand_total'
  | 'total'
  | 'cash'
  | 'card'
  | 'amount'
  | 'none';

const RULES: [AmountRole, RegExp][] = [
  ['change', /\bchange\b|\bbaki\b|wisselgeld|r[üu]ckgeld|rendu|cambio/],
  [
    'count',
    /\b(?:total|no\.?|number of)\s*(?:qty|quantity|items?|item\(s\)|pcs|units?)|\bqty\b(?!.*total)|points?\b|total item/,
  ],
  [
    'grand_total',
    /total.*(?:after|incl|with|w\/).*(?:round|gst|tax|sst)|round\w*\s+total|total.*rounded|rounded.*total|total\s*\(?incl/,
  ],
  ['grand_total', /(?:total|amount|amt|paid?|sales).*\bincl|inclusive.*(?:gst|tax|sst|vat)/],
  ['rounding', /\bround/],
  ['discount', /\bdisc|saving|\bsaved|rabatt|remise|voucher|rebate/],
  [
    'subtotal',
    /subtotal|sub total|total\s*\(?(?:excl|exd|exo|before|w\/o|without)|\bexcl|net{1,2}o\b|sous.?total|zwischensumme|amount before/,
  ],
  ['tip', /\btips?\b|gratuity|pourboire|trinkgeld/],
  ['service', /serv\w*\s*(?:charge|chg|tax)|\bs\.?\s?charge|svc/],
  [
    'grand_total',
    /total\s*(?:amount|sales|amt)?.*\bincl|grand|total.{0,12}(?:due|payable|to pay|pay\b)|amount\s*(?:due|payable|to pay)|balance\s*due|net{1,2}\s*(?:total|amount|amt)|total\s*(?:amount|sales|amt|rm|bill)|amount\s*total|[àa] payer|te betalen|zu zahlen|gesamtbetrag/,
  ],
  ['tax', /\bg\.?s\.?t(?:\b|amt|am)|\bs\.?s\.?t\b|\bv\.?a\.?t\b|\btax\b|\btva\b|\bbtw\b|mwst|\biva\b|ust\b/],
  ['total', /\btotal\b|total[:;=]|^total|\btotaal|\bsumme\b|\bgesamt|\btotale\b|\bjumlah\b/],
  ['cash', /\bcash\b|tender|\btunai\b|\bbar\b|esp[eè]ces|contant|\bpaid\b|payment|\breceived/],
  ['card', /visa|master|\bcard\b|debit|credit|amex|maestro|\bpin\b|eftpos/],
  ['amount', /\bamount\b|\bamt\b|\bmontant\b|\bbetrag\b|\bbill\b|\bpay\b/],
];

export function roleOf(label: string): AmountRole {
  return RULES.find(([, pattern]) => pattern.test(label))?.[0] ?? 'none';
}

const ROLE_SCORE: Record<AmountRole, number> = {
  grand_total: 5,
  total: 4,
  amount: 1.8,
  card: 1.5,
  cash: 0.8,
  subtotal: 0.4,
  none: 0,
  service: -3,
  tip: -4,
  tax: -2.5,
  discount: -4,
  rounding: -4,
  count: -4,
  change: -4,
};

export interface RoledAmount extends AmountCandidate {
  role: AmountRole;
}

export interface TotalChoice {
  candidate: RoledAmount;
  /** 0 to 1. */
  certainty: number;
}

/** The amount to pay: what its label says, and what the arithmetic of the other amounts agrees on. */
export function chooseTotal(amounts: AmountCandidate[]): TotalChoice | undefined {
  const roled = amounts
    .filter((amount) => !amount.percent)
    .map((amount): RoledAmount => ({ ...amount, role: roleOf(amount.label) }));
  const isTotal = (a: RoledAmount): boolean => a.role === 'total' || a.role === 'grand_total';
  // A whole number counts where its label says that it is the total; a credit may be paid back.
  const pool = roled.filter((a) =>
    a.exact ? a.amount > 0 || (a.role === 'grand_total' && a.amount < 0) : a.amount > 0 && isTotal(a) && a.last,
  );
  const scored = pool
    .map((candidate) => ({ candidate, score: scoreOf(candidate, pool, roled) }))
    .sort((a, b) => b.score - a.score || b.candidate.line.index - a.candidate.line.index);
  const best = scored[0];
  if (!best) return undefined;
  const rival = scored.find((other) => !sameAmount(other.candidate.amount, best.candidate.amount));
  const lead = rival ? Math.max(0, best.score - rival.score) : 3;
  return { candidate: best.candidate, certainty: certaintyOf(best.score, lead) };
}

const certaintyOf = (score: number, lead: number): number =>
  Math.min(0.99, 0.35 + 0.08 * Math.min(score, 5) + 0.09 * Math.min(lead, 3));

function scoreOf(candidate: RoledAmount, pool: RoledAmount[], all: RoledAmount[]): number {
  const { amount } = candidate;
  const of = (...roles: AmountRole[]): number[] => all.filter((a) => roles.includes(a.role)).map((a) => a.amount);
  let score = ROLE_SCORE[candidate.role];
  if (!candidate.last) score -= 1.5;
  if (!candidate.exact) score -= 1.5;
  if (roundedFrom(amount, pool, of('rounding'))) score += 2;
  if (!candidate.sameLine && candidate.role !== 'none') score -= 0.8;
  const paid = of('cash', 'card');
  if (
    of('change')
      .map(Math.abs)
      .some((change) => paid.some((cash) => cash >= change && sameAmount(cash - change, amount)))
  )
    score += 2.5;
  if (explainedByTax(amount, of('subtotal', 'none', 'total'), of('tax', 'service', 'rounding'))) score += 1;
  const repeats = pool.filter((other) => other !== candidate && sameAmount(other.amount, amount));
  score += 0.7 * Math.min(3, repeats.length);
  score += 0.3 * Math.max(0, ...repeats.map((other) => ROLE_SCORE[other.role]));
  const largest = Math.max(...pool.filter((a) => a.role !== 'cash' && a.role !== 'change').map((a) => a.amount));
  if (sameAmount(amount, largest)) score += 1;
  score += 0.5 * positionOf(candidate, all) + 0.5 * (meanConfidence(candidate.words) - 0.9);
  return score;
}

/** Cash totals are rounded to five cents: another total is off by the rounding, and that rounding is printed. */
function roundedFrom(amount: number, pool: RoledAmount[], roundings: number[]): boolean {
  if (!sameAmount(amount * 20, Math.round(amount * 20), 0.05)) return false;
  return pool.some((other) => {
    const difference = Math.abs(other.amount - amount);
    const isTotal = other.role === 'total' || other.role === 'grand_total' || other.role === 'subtotal';
    return (
      isTotal && difference > 0.005 && difference < 0.045 && roundings.some((r) => sameAmount(Math.abs(r), difference))
    );
  });
}

/** subtotal + tax = amount, with or without a rounding of a few cents. */
function explainedByTax(amount: number, bases: number[], additions: number[]): boolean {
  return bases.some(
    (base) => base < amount && additions.some((extra) => extra > 0.02 && sameAmount(base + extra, amount, 0.03)),
  );
}

function positionOf(candidate: RoledAmount, all: RoledAmount[]): number {
  const last = Math.max(...all.map((a) => a.line.index), 1);
  return candidate.line.index / last;
}
