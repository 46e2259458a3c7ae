import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { minorDigits } from '../../../domain/contracts/currencies.ts';
import { toMajor, toMinor } from '../../../domain/finance/money.ts';
import { computeTotals } from '../../../domain/finance/totals.ts';

const line = (unit_price: number, tax_rate = 15, quantity = 1, discount_percent = 0) => ({
  quantity,
  unit_price,
  discount_percent,
  tax_rate,
});

/** A decimal of so many places, as JSON would bring it. */
const decimal = (min: number, max: number, places: number) =>
  fc
    .integer({ min: min * 10 ** places, max: max * 10 ** places })
    .map((digits) => Number(`${String(digits)}e-${String(places)}`));
const anyLine = fc.record({
  quantity: decimal(0, 1000, 3),
  unit_price: decimal(-1000, 100_000, 4),
  discount_percent: decimal(0, 100, 2),
  tax_rate: fc.constantFrom(0, 5, 7.7, 14.975, 15, 20),
});
const anyLines = fc.array(anyLine, { minLength: 1, maxLength: 30 });
const anyDigits = fc.constantFrom(0, 2, 3);

const sumOf = (values: number[]) => values.reduce((sum, value) => sum + value, 0);
/** value × percent ÷ 100, rounded half away from zero in whole numbers: the arithmetic again, by other means. */
const percentOf = (value: number, tenThousandths: bigint): number => {
  const product = BigInt(value) * tenThousandths;
  const half = product < 0n ? -500_000n : 500_000n;
  return Number((product + half) / 1_000_000n);
};

describe('totals', () => {
  it('takes tax once per rate: three lines of 0.10 carry the 0.05 of 0.30, not three times 0.02', () => {
    const totals = computeTotals([line(0.1), line(0.1), line(0.1)], 2);
    expect(totals).toMatchObject({ subtotal_minor: 30, tax_minor: 5, total_minor: 35 });
    expect(totals.lines.map(({ tax_minor }) => tax_minor)).toEqual([2, 1, 2]);
  });

  it.each([
    ['half a cent up', 2, line(0.005, 0), 1],
    ['less than half a cent away', 2, line(0.0049, 0), 0],
    ['a negative half away from zero', 2, line(-0.005, 0), -1],
    ['what floats get wrong: 1.005', 2, line(1.005, 0), 101],
    ['0.1 times 3', 2, line(0.1, 0, 3), 30],
    ['a tenth of a unit in yen', 0, line(99.5, 0), 100],
    ['thousandths of a dinar', 3, line(1.2345, 0), 1235],
    ['a discount before rounding', 2, line(0.99, 0, 1, 50), 50],
    ['six decimals of quantity', 2, line(1000, 0, 0.333333), 33_333],
  ])('rounds %s', (_what, digits, input, net) => {
    expect(computeTotals([input], digits).subtotal_minor).toBe(net);
  });

  it('lists each rate once, in order, however it is written', () => {
    const { tax_summary } = computeTotals([line(100, 15), line(50, 0), line(10, 15.0), line(1, 9)], 2);
    expect(tax_summary).toEqual([
      { tax_rate: '0', net_minor: 5000, tax_minor: 0 },
      { tax_rate: '9', net_minor: 100, tax_minor: 9 },
      { tax_rate: '15', net_minor: 11_000, tax_minor: 1650 },
    ]);
  });

  it('adds up: lines to totals, lines to their rate, rates to the tax, each rate to its percentage', () => {
    fc.assert(
      fc.property(anyLines, anyDigits, (lines, digits) => {
        const totals = computeTotals(lines, digits);
        expect(sumOf(totals.lines.map((each) => each.net_minor))).toBe(totals.subtotal_minor);
        expect(sumOf(totals.lines.map((each) => each.tax_minor))).toBe(totals.tax_minor);
        expect(sumOf(totals.lines.map((each) => each.discount_minor))).toBe(totals.discount_minor);
        expect(totals.subtotal_minor + totals.tax_minor).toBe(totals.total_minor);
        expect(sumOf(totals.tax_summary.map((group) => group.tax_minor))).toBe(totals.tax_minor);
        for (const { tax_rate, net_minor, tax_minor } of totals.tax_summary) {
          const own = lines.flatMap((each, index) =>
            String(each.tax_rate) === tax_rate ? [totals.lines[index]!] : [],
          );
          expect(sumOf(own.map((each) => each.net_minor))).toBe(net_minor);
          expect(sumOf(own.map((each) => each.tax_minor))).toBe(tax_minor);
          expect(tax_minor).toBe(percentOf(net_minor, BigInt(Math.round(Number(tax_rate) * 10_000))));
        }
      }),
      { numRuns: 300 },
    );
  });

  it('is whole minor units, and the share of a line is within one of its own tax', () => {
    fc.assert(
      fc.property(anyLines, anyDigits, (lines, digits) => {
        const totals = computeTotals(lines, digits);
        totals.lines.forEach((each, index) => {
          expect(Number.isSafeInteger(each.net_minor) && Number.isSafeInteger(each.tax_minor)).toBe(true);
          expect(Math.abs(each.tax_minor - (each.net_minor * lines[index]!.tax_rate) / 100)).toBeLessThanOrEqual(
            1.000_001,
          );
        });
      }),
    );
  });
});

describe('money', () => {
  it('goes out as it came in, in every currency', () => {
    fc.assert(
      fc.property(fc.constantFrom('JPY', 'ZAR', 'KWD'), fc.integer({ min: 0, max: 10 ** 14 }), (currency, minor) => {
        expect(toMinor(toMajor(minor, currency), currency)).toBe(minor);
        expect(toMinor(JSON.parse(JSON.stringify(toMajor(minor, currency))) as number, currency)).toBe(minor);
      }),
    );
  });

  it('knows the minor units of a currency, and what is none', () => {
    expect(['ZAR', 'JPY', 'KWD', 'UGX', 'XXX', 'zar'].map(minorDigits)).toEqual([2, 0, 3, 0, undefined, undefined]);
    expect([toMinor(0.5, 'JPY'), toMinor(0.001, 'ZAR'), toMinor(0.001, 'KWD')]).toEqual([undefined, undefined, 1]);
  });
});
