import { Big } from 'big.js';

/** What is typed on a line, with its defaults. */
export interface PricedLine {
  quantity: number;
  unit_price: number;
  discount_percent: number;
  tax_rate: number;
}

/** What a line comes to, in minor units. */
export interface LineAmounts {
  discount_minor: number;
  net_minor: number;
  tax_minor: number;
}

/** The tax of all lines with one rate. */
export interface TaxGroup {
  /** Percent, as the shortest decimal text. */
  tax_rate: string;
  net_minor: number;
  tax_minor: number;
}

export interface Totals {
  lines: LineAmounts[];
  tax_summary: TaxGroup[];
  subtotal_minor: number;
  discount_minor: number;
  tax_minor: number;
  total_minor: number;
}

/**
 * What the lines come to. Each line is rounded to the minor unit, half away from zero, and tax is computed once per rate
 * on the sum of its lines and rounded there, as invoices are made out in the EU and South Africa: rounding per line would
 * add up to something else than the rate. The tax of a rate is then shared out to its lines so that they add up to it.
 */
export function computeTotals(lines: readonly PricedLine[], digits: number): Totals {
  const unit = new Big(10).pow(digits);
  const groups = new Map<string, { net: Big; tax: Big }>();
  const amounts = lines.map((line) => {
    const gross = new Big(line.quantity).times(line.unit_price).times(unit);
    const net = round(gross.times(new Big(100).minus(line.discount_percent)).div(100));
    // Adding 0 takes the sign off a zero, so that no rate stands twice.
    const rate = String(line.tax_rate + 0);
    const group = groups.get(rate) ?? { net: new Big(0), tax: new Big(0) };
    groups.set(rate, group);
    // A line's share is what it adds to the rounded tax of the lines so far: never off by more than one minor unit.
    group.net = group.net.plus(net);
    const taxSoFar = round(group.net.times(rate).div(100));
    const tax = taxSoFar.minus(group.tax);
    group.tax = taxSoFar;
    return { discount: round(gross).minus(net), net, tax };
  });
  const sum = (values: readonly Big[]): Big => values.reduce((total, value) => total.plus(value), new Big(0));
  const subtotal = sum(amounts.map(({ net }) => net));
  const tax = sum(amounts.map((line) => line.tax));
  return {
    lines: amounts.map((line) => ({
      discount_minor: whole(line.discount),
      net_minor: whole(line.net),
      tax_minor: whole(line.tax),
    })),
    tax_summary: [...groups].sort(([a], [b]) => Number(a) - Number(b)).map(groupOf),
    subtotal_minor: whole(subtotal),
    discount_minor: whole(sum(amounts.map(({ discount }) => discount))),
    tax_minor: whole(tax),
    total_minor: whole(subtotal.plus(tax)),
  };
}

function groupOf([tax_rate, { net, tax }]: [string, { net: Big; tax: Big }]): TaxGroup {
  return { tax_rate, net_minor: whole(net), tax_minor: whole(tax) };
}

/** Half away from zero. Big divides to 20 decimals, and by 100 that is exact here. */
function round(value: Big): Big {
  return value.round(0, Big.roundHalfUp);
}

/** Zero has no sign on paper. */
function whole(value: Big): number {
  return value.toNumber() + 0;
}
