import { roundCents, sameAmount } from '../../values/money.ts';
import type { AmountRole, RoledAmount } from './roles.ts';

/** An amount that the others on the receipt give, and by which sum. */
export interface Derived {
  amount: number;
  by: 'cash' | 'sum' | 'items' | 'tip';
}

/** Amounts of a role, each value once: summaries repeat them. */
function valuesOf(amounts: RoledAmount[], ...roles: AmountRole[]): number[] {
  const found = amounts.filter((a) => roles.includes(a.role) && a.exact && a.last && !a.percent).map((a) => a.amount);
  return [...new Set(found)].slice(-MOST_VALUES);
}

/** No receipt has more subtotals or payments; a page that is made to has no more sums than this allows. */
const MOST_VALUES = 12;

/** What the other amounts say was to be paid: cash − change, subtotal with what was added to it, the sum of the items. */
export function derivedTotals(amounts: RoledAmount[]): Derived[] {
  return [...cashMinusChange(amounts), ...sumsOfParts(amounts), ...sumOfItems(amounts), ...withTip(amounts)];
}

function cashMinusChange(amounts: RoledAmount[]): Derived[] {
  const changes = valuesOf(amounts, 'change').map(Math.abs);
  return valuesOf(amounts, 'cash', 'card').flatMap((cash) =>
    changes.filter((change) => Math.abs(cash) > change).map((change) => derived(Math.abs(cash) - change, 'cash')),
  );
}

/** A bill and, under it, the bill with the tip. */
const withTip = (amounts: RoledAmount[]): Derived[] =>
  valuesOf(amounts, 'tip')
    .filter((tip) => tip > 0)
    .flatMap((tip) => valuesOf(amounts, 'total', 'grand_total', 'amount').map((bill) => derived(bill + tip, 'tip')));

const OPTIONAL_PARTS = 6;

/** Every base with every selection of the additions: a tax may be included in the base or not, a discount too. */
function sumsOfParts(amounts: RoledAmount[]): Derived[] {
  const additions = [
    ...valuesOf(amounts, 'tax', 'service', 'tip').filter((value) => value !== 0),
    // The sign of a rounding is faint: both are tried.
    ...valuesOf(amounts, 'rounding').flatMap((value) => (value === 0 ? [] : [value, -value])),
    ...valuesOf(amounts, 'discount')
      .filter((value) => value !== 0)
      .map((value) => -Math.abs(value)),
  ].slice(0, OPTIONAL_PARTS);
  const sums: Derived[] = [];
  for (const base of valuesOf(amounts, 'subtotal')) {
    for (let choice = 1; choice < 1 << additions.length; choice++) {
      const sum = additions.reduce((total, value, i) => total + ((choice >> i) & 1 ? value : 0), base);
      if (sum > 0) sums.push(derived(sum, 'sum'));
    }
  }
  return sums;
}

/** The amounts that end the lines above the first subtotal or total. */
function sumOfItems(amounts: RoledAmount[]): Derived[] {
  const end = amounts.find((a) => ['subtotal', 'total', 'grand_total'].includes(a.role) && a.exact)?.line.index;
  if (end === undefined) return [];
  const items = amounts.filter(
    (a) => a.line.index < end && a.exact && a.last && (a.role === 'none' || a.role === 'discount'),
  );
  if (items.length < 2) return [];
  return [
    derived(
      items.reduce((sum, a) => sum + (a.role === 'discount' ? -Math.abs(a.amount) : a.amount), 0),
      'items',
    ),
  ];
}

const derived = (amount: number, by: Derived['by']): Derived => ({ amount: roundCents(amount), by });

/** What cash − change and another reckoning both say was paid. */
export const agreedTotal = (sums: Derived[]): number | undefined =>
  sums
    .filter((sum) => sum.by === 'cash')
    .find((cash) => sums.some((sum) => sum.by !== 'cash' && sameAmount(sum.amount, cash.amount)))?.amount;

/** 112.46 for 112.45: so a total is misread. */
export function differsInOneDigit(a: number, b: number): boolean {
  const [left, right] = [a.toFixed(2), b.toFixed(2)];
  return left.length === right.length && Array.from(left).filter((digit, i) => digit !== right[i]).length === 1;
}
