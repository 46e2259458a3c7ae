import { einvoiceChecks } from '../einvoice/validate.ts';
import type { Extraction, LineItem, ValidationCheck } from '../types.ts';
import { sameAmount } from '../values/money.ts';
import { amountOf, check, numberOf } from './checks.ts';

/** Prices of single lines may each be rounded: the sum may be off by half a cent a line. */
const ROUNDING_PER_LINE = 0.005;
const ROUNDING = 0.015;

/** Whether the amounts that were read agree with each other. A rule whose amounts are missing is left out. */
export function arithmeticChecks(extraction: Extraction): ValidationCheck[] {
  const amount = (name: string): number | undefined => amountOf(extraction, name);
  const total = amount('total');
  const subtotal = amount('subtotal');
  const checks: ValidationCheck[] = [];
  if (subtotal !== undefined && total !== undefined && amount('tax') !== undefined) {
    const extras =
      (amount('tax') ?? 0) +
      (amount('shipping') ?? 0) +
      (amount('tip') ?? 0) +
      (amount('rounding') ?? 0) -
      Math.abs(amount('discount') ?? 0);
    const passed =
      sameAmount(subtotal + extras, total, ROUNDING) || sameAmount(subtotal + (amount('tax') ?? 0), total, ROUNDING);
    checks.push(
      check(
        'subtotal_plus_tax_equals_total',
        passed,
        `${String(subtotal)} + ${String(amount('tax'))} against ${String(total)}`,
      ),
    );
  }
  const rate = numberOf(extraction.fields['tax']?.tax_rate);
  if (rate !== undefined && subtotal !== undefined && amount('tax') !== undefined) {
    const expected = (subtotal * rate) / 100;
    const passed = sameAmount(expected, amount('tax') ?? 0, Math.max(0.02, expected * 0.005));
    checks.push(
      check(
        'tax_equals_rate_of_subtotal',
        passed,
        `${String(rate)}% of ${String(subtotal)} against ${String(amount('tax'))}`,
      ),
    );
  }
  const cash = amount('cash');
  const change = amount('change');
  if (cash !== undefined && change !== undefined && total !== undefined) {
    checks.push(
      check(
        'cash_minus_change_equals_total',
        sameAmount(cash - change, total, 0.05),
        `${String(cash)} - ${String(change)} against ${String(total)}`,
      ),
    );
  }
  checks.push(...lineChecks(extraction.line_items, subtotal, total), ...einvoiceChecks(extraction));
  return checks;
}

function lineChecks(lines: LineItem[], subtotal: number | undefined, total: number | undefined): ValidationCheck[] {
  const totals = lines.map((line) => numberOf(line.total.value));
  const checks: ValidationCheck[] = [];
  const wrong: number[] = [];
  for (const [index, line] of lines.entries()) {
    const quantity = numberOf(line.quantity.value);
    const price = numberOf(line.unit_price.value);
    const sum = totals[index];
    if (quantity === undefined || price === undefined || sum === undefined) continue;
    if (!sameAmount(quantity * price, sum, Math.max(ROUNDING, Math.abs(sum) * 0.005))) wrong.push(index + 1);
  }
  if (lines.length > 0) {
    const message = wrong.length === 0 ? 'every line agrees' : `line ${wrong.join(', ')}: quantity × price differs`;
    checks.push(check('quantity_times_price_equals_line_total', wrong.length === 0, message));
  }
  const target = subtotal ?? total;
  if (lines.length > 0 && target !== undefined && totals.every((value) => value !== undefined)) {
    const sum = totals.reduce((a, b) => a + b, 0);
    const tolerance = ROUNDING + ROUNDING_PER_LINE * lines.length;
    const passed = sameAmount(sum, target, tolerance) || (total !== undefined && sameAmount(sum, total, tolerance));
    checks.push(check('lines_add_up', passed, `lines ${sum.toFixed(2)} against ${target.toFixed(2)}`));
  }
  return checks;
}
