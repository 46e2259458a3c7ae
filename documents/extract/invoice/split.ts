import { sameAmount } from '../../values/money.ts';
import type { Candidate } from './candidates.ts';
import { isTaxTotal } from './roles.ts';

/** A way in which a total is made up: net + taxes + shipping − discount, or less what is withheld. */
export interface Split {
  net: Candidate;
  taxes: Candidate[];
  shipping?: number;
  discount?: number;
  score: number;
}

const MAX_TAX_SHARE = 0.4;
const MIN_NET_SHARE = 0.5;
/** More rates than any country has. */
const MAX_TAXES = 5;
const TOLERANCE = 0.011;

interface Extra {
  sum: number;
  shipping?: number;
  discount?: number;
}

/** The most believable combination of printed amounts that gives the total; undefined where none does. */
export function bestSplit(candidates: Candidate[], total: Candidate): Split | undefined {
  const size = Math.abs(total.amount);
  // The amounts of a credit are all negative, or all positive, or its minus signs are lost here and there.
  const unsigned = total.amount < 0 ? candidates : candidates.filter((a) => a.amount >= 0);
  const pool = unsigned.filter((a) => a !== total && Math.abs(a.amount) < size * 2);
  const nets = pool.filter((a) => Math.abs(a.amount) >= size * MIN_NET_SHARE && a.role !== 'tax');
  const extras = extrasOf(candidates);
  let best: Split | undefined;
  for (const net of nets) {
    for (const extra of extras) {
      const rest = size - Math.abs(net.amount) - extra.sum;
      // Without any tax, what was taken off or added makes the total up, of an amount that is called net.
      const untaxed = extra.sum !== 0 && Math.abs(rest) <= TOLERANCE && net.role === 'net' ? [[]] : [];
      for (const taxes of [...taxesOf(pool, rest, size), ...untaxed]) {
        const split = { net, taxes, score: splitScore(net, taxes, extra), ...withExtra(extra) };
        if (split.score > (best?.score ?? 0.9)) best = split;
      }
    }
  }
  return best;
}

const withExtra = ({ shipping, discount }: Extra): Pick<Split, 'shipping' | 'discount'> => ({
  ...(shipping === undefined ? {} : { shipping }),
  ...(discount === undefined ? {} : { discount }),
});

function extrasOf(candidates: Candidate[]): Extra[] {
  const amounts = (role: 'shipping' | 'discount' | 'withheld'): number[] => [
    ...new Set(candidates.filter((a) => a.role === role && a.amount !== 0).map((a) => Math.abs(a.amount))),
  ];
  const shipping = amounts('shipping')
    .slice(0, 3)
    .map((value): Extra => ({ sum: value, shipping: value }));
  const discount = amounts('discount')
    .slice(0, 3)
    .map((value): Extra => ({ sum: -value, discount: value }));
  const withheld = amounts('withheld')
    .slice(0, 2)
    .map((value): Extra => ({ sum: -value }));
  const both = shipping.flatMap((a) => discount.map((b): Extra => ({ ...a, ...b, sum: a.sum + b.sum })));
  return [{ sum: 0 }, ...shipping, ...discount, ...both, ...withheld];
}

/** The taxes that make up an amount: one, or the lines of several rates, or a printed zero where nothing is left. */
function taxesOf(pool: Candidate[], rest: number, size: number): Candidate[][] {
  if (Math.abs(rest) > size * MAX_TAX_SHARE) return [];
  if (Math.abs(rest) <= TOLERANCE) {
    const zero = pool.filter((a) => a.amount === 0 && a.role === 'tax');
    const sum = zero.find((a) => isTaxTotal(a.label)) ?? zero.at(-1);
    return sum ? [[sum]] : [];
  }
  const singles = pool.filter((a) => sameAmount(Math.abs(a.amount), rest, TOLERANCE)).map((a) => [a]);
  const lines = taxLineCandidates(pool).filter((a) => Math.abs(a.amount) < Math.abs(rest));
  const sums: Candidate[][] = [];
  for (let mask = 3; mask < 1 << lines.length; mask++) {
    const chosen = lines.filter((_, bit) => (mask >> bit) & 1);
    if (chosen.length < 2) continue;
    if (
      sameAmount(
        chosen.reduce((sum, a) => sum + Math.abs(a.amount), 0),
        rest,
        TOLERANCE,
      )
    )
      sums.push(chosen);
  }
  return [...singles, ...sums];
}

/** Taxes by rate: each on its own line, at the end of it. */
const taxLineCandidates = (pool: Candidate[]): Candidate[] =>
  pool.filter((a) => a.role === 'tax' && a.last && a.amount !== 0 && !isTaxTotal(a.label)).slice(-MAX_TAXES);

function splitScore(net: Candidate, taxes: Candidate[], extra: Extra): number {
  if (taxes.length === 0) return net.place === 'line' ? 2.5 : 2;
  const isPlain = (a: Candidate): boolean => !['net', 'total', 'none', 'tax', 'gross', 'due'].includes(a.role);
  let score = net.role === 'net' ? 2 : net.role === 'total' ? 0.8 : 0;
  score += taxes.every((tax) => tax.role === 'tax') ? 2 : 0;
  if (taxes.length === 1 && isTaxTotal(taxes[0]!.label)) score += 0.3;
  if (isPlain(net) || taxes.some(isPlain)) score -= 2;
  if (['gross', 'due'].includes(net.role)) score -= 0.8;
  if (taxes.every((tax) => tax.last)) score += 0.5;
  if (net.place === 'line') score += 0.1;
  // The heading of a column of line items names taxes and totals too.
  if (taxes.some((tax) => tax.place === 'above')) score -= 0.7;
  if (net.place === 'above') score -= 0.5;
  if (taxes.length > 1) score -= 0.3;
  if (extra.shipping !== undefined || extra.discount !== undefined) score -= 0.3;
  return score + Math.max(...taxes.map((tax) => tax.line.index)) / 1e4;
}

/** Nothing adds up: the line that sums taxes up, else the last one that names a tax. */
export function taxLines(candidates: Candidate[], total: Candidate): Candidate[] {
  const limit = Math.abs(total.amount) * 0.5;
  const found = candidates.filter((a) => a.role === 'tax' && a.last && Math.abs(a.amount) <= limit);
  const best = found.findLast((a) => isTaxTotal(a.label)) ?? found.at(-1);
  return best ? [best] : [];
}
