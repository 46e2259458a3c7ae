import { meanConfidence } from '../../layout/lines.ts';
import { sameAmount } from '../../values/money.ts';
import { agreedTotal, type Derived, derivedTotals, differsInOneDigit } from './arithmetic.ts';
import type { AmountRole, RoledAmount } from './roles.ts';

const ROLE_SCORE: Record<AmountRole, number> = {
  grand_total: 5,
  total: 4,
  amount: 1.8,
  card: 1.5,
  cash: 0.8,
  subtotal: 0.4,
  none: 0,
  part: -1,
  service: -3,
  tip: -4,
  tax: -2.5,
  discount: -4,
  rounding: -4,
  count: -4,
  change: -4,
};

export interface TotalChoice {
  candidate: RoledAmount;
  /** The candidate's, or what the arithmetic says where one digit of it was misread. */
  amount: number;
  /** 0 to 1. */
  certainty: number;
}

/** The amount to pay: what its label says, and what the arithmetic of the other amounts agrees on. */
export function chooseTotal(amounts: RoledAmount[]): TotalChoice | undefined {
  const roled = amounts.filter((amount) => !amount.percent);
  const refund = !roled.some((a) => isTotal(a) && a.exact && a.amount > 0);
  // A whole number counts where its label says that it is the total; a credit may be paid back.
  const pool = roled.filter((a) => {
    if (!a.exact) return a.amount > 0 && isTotal(a) && a.last;
    return a.amount > 0 || (a.amount < 0 && (a.role === 'grand_total' || (refund && isTotal(a))));
  });
  const sums = derivedTotals(roled);
  const agreed = agreedTotal(sums);
  const payable = pool.filter((a) => a.role !== 'cash' && a.role !== 'change');
  const evidence: Evidence = {
    pool,
    sums,
    agreed,
    all: roled,
    roundings: roled.filter((a) => a.role === 'rounding').map((a) => a.amount),
    taxes: roled.filter((a) => a.role === 'tax').map((a) => a.amount),
    largest: Math.max(...payable.map((a) => a.amount)),
    lastLine: Math.max(...roled.map((a) => a.line.index), 1),
  };
  const scored = pool
    .map((candidate) => ({ candidate, score: scoreOf(candidate, evidence) }))
    .sort((a, b) => b.score - a.score || b.candidate.line.index - a.candidate.line.index);
  const best = scored[0];
  if (!best) return undefined;
  const rival = scored.find((other) => !sameAmount(other.candidate.amount, best.candidate.amount));
  const lead = rival ? Math.max(0, best.score - rival.score) : 3;
  const meant = misreadAs(best.candidate, evidence);
  if (meant !== undefined) return { candidate: best.candidate, amount: meant, certainty: 0.85 };
  return { candidate: best.candidate, amount: best.candidate.amount, certainty: certaintyOf(best.score, lead) };
}

/**
 * What a total misread in one digit should be. A total that the others explain is none: it may be printed before it is
 * rounded, and cash − change gives what it is after.
 */
function misreadAs(total: RoledAmount, { pool, sums, agreed }: Evidence): number | undefined {
  if (agreed === undefined || !isTotal(total) || !differsInOneDigit(total.amount, agreed)) return undefined;
  const printed = pool.some((a) => isTotal(a) && sameAmount(a.amount, agreed));
  const explained =
    sums.some((sum) => sameAmount(sum.amount, total.amount)) ||
    pool.some((a) => a.role === 'subtotal' && sameAmount(a.amount, total.amount));
  return printed || !explained ? agreed : undefined;
}

const isTotal = ({ role }: RoledAmount): boolean => role === 'total' || role === 'grand_total';

const certaintyOf = (score: number, lead: number): number =>
  Math.min(0.99, 0.35 + 0.08 * Math.min(score, 5) + 0.09 * Math.min(lead, 3));

interface Evidence {
  /** The amounts that may be the total. */
  pool: RoledAmount[];
  all: RoledAmount[];
  sums: Derived[];
  /** What two ways of reckoning agree on. */
  agreed: number | undefined;
  roundings: number[];
  taxes: number[];
  largest: number;
  lastLine: number;
}

function scoreOf(candidate: RoledAmount, evidence: Evidence): number {
  const { pool, sums, roundings, taxes, largest, lastLine } = evidence;
  const { amount } = candidate;
  let score = ROLE_SCORE[candidate.role];
  if (!candidate.last) score -= 1.5;
  if (!candidate.exact) score -= 1.5;
  if (roundedFrom(amount, pool, roundings)) score += 2;
  if (!candidate.sameLine && candidate.role !== 'none') score -= 0.8;
  score += agreement(amount, sums);
  if (misreadAs(candidate, evidence) !== undefined) score += 3.5;
  // The last column of a table of taxes ends in a "total" too.
  if (isTotal(candidate) && taxes.some((tax) => sameAmount(tax, amount))) score -= 2;
  const repeats = pool.filter((other) => other !== candidate && sameAmount(other.amount, amount));
  score += 0.7 * Math.min(3, repeats.length);
  score += 0.3 * Math.max(0, ...repeats.map((other) => ROLE_SCORE[other.role]));
  if (sameAmount(amount, largest)) score += 1;
  score += 0.5 * (candidate.line.index / lastLine) + 0.5 * (meanConfidence(candidate.words) - 0.9);
  return score;
}

const AGREEMENT: Record<Derived['by'], number> = { cash: 2.5, sum: 1, items: 0.7, tip: 3 };

/** Each way of reckoning the total counts once. */
function agreement(amount: number, sums: Derived[]): number {
  const ways = new Set(sums.filter((sum) => sameAmount(sum.amount, amount)).map((sum) => sum.by));
  return [...ways].reduce((score, way) => score + AGREEMENT[way], 0);
}

/** Cash totals are rounded to five cents: another total is off by the rounding, and that rounding is printed. */
function roundedFrom(amount: number, pool: RoledAmount[], roundings: number[]): boolean {
  if (!sameAmount(amount * 20, Math.round(amount * 20), 0.05)) return false;
  return pool.some((other) => {
    const difference = Math.abs(other.amount - amount);
    const isBase = isTotal(other) || other.role === 'subtotal';
    return (
      isBase && difference > 0.005 && difference < 0.045 && roundings.some((r) => sameAmount(Math.abs(r), difference))
    );
  });
}
