import type { Extraction, ValidationCheck } from '../types.ts';
import { amountOf, check } from './checks.ts';
import { taxCountryOf } from './tax-country.ts';
import { taxRatesOn } from './tax-rates.ts';

const DATE_FIELDS = ['invoice_date', 'date', 'issue_date', 'statement_date', 'order_date', 'delivery_date'];
const ISO_DAY = /^\d{4}-\d{2}-\d{2}$/;
/** A printed rate is exact but for the places that it is printed with. */
const RATE_TOLERANCE = 0.051;

/**
 * Whether the rates that a document prints, or its amounts imply, exist in the vendor's country on the document's date.
 * Left out where the country is not known or has no national tax on sales.
 */
export function taxRateChecks(extraction: Extraction, clientCountry?: string | null): ValidationCheck[] {
  const found = taxCountryOf(extraction, clientCountry);
  const day = dayOf(extraction);
  const rates = found && taxRatesOn(found.country, day)?.map(({ rate }) => rate);
  if (!found || !rates || rates.length === 0) return [];
  const where = `in ${found.country}${day === undefined ? '' : ` on ${day}`}`;
  const printed = printedRates(extraction);
  const exists = (rate: number): boolean =>
    rate === 0 || rates.some((known) => Math.abs(known - rate) < RATE_TOLERANCE);
  if (printed.length > 0) {
    const wrong = printed.filter((rate) => !exists(rate));
    const message = wrong.length === 0 ? `${percents(printed)} ${where}` : `no rate of ${percents(wrong)} ${where}`;
    return [check('tax_rate_exists', wrong.length === 0, message)];
  }
  return impliedRateCheck(extraction, rates, where);
}

/** Without a printed rate: tax of the subtotal is one of the rates, or lies between them where goods are mixed. */
function impliedRateCheck(extraction: Extraction, rates: number[], where: string): ValidationCheck[] {
  const tax = amountOf(extraction, 'tax');
  const total = amountOf(extraction, 'total');
  const subtotal =
    amountOf(extraction, 'subtotal') ?? (tax !== undefined && total !== undefined ? total - tax : undefined);
  if (tax === undefined || subtotal === undefined || subtotal === 0) return [];
  const implied = (100 * tax) / subtotal;
  // A cent of rounding in the tax and in the net amount.
  const tolerance = RATE_TOLERANCE + Math.abs((100 * 0.01 * (1 + Math.abs(tax / subtotal))) / subtotal);
  const nearest = [0, ...rates].find((rate) => Math.abs(rate - implied) <= tolerance);
  if (nearest !== undefined) return [check('tax_rate_exists', true, `${percents([nearest])} ${where}`)];
  const mixed = implied > 0 && implied < Math.max(...rates);
  const about = `${implied.toFixed(2)}% of the net amount`;
  return [
    check('tax_rate_exists', mixed, mixed ? `${about}: a mix of rates ${where}` : `no rate of ${about} ${where}`),
  ];
}

function printedRates({ fields, line_items }: Extraction): number[] {
  const lines = line_items.map((line) => line['tax_rate']?.value);
  const rates = [fields['tax']?.tax_rate, fields['tax_rate']?.value, ...lines];
  return [...new Set(rates.filter((rate): rate is number => typeof rate === 'number' && Number.isFinite(rate)))];
}

function dayOf({ fields }: Extraction): string | undefined {
  const values = DATE_FIELDS.map((name) => fields[name]?.value);
  return values.find((value): value is string => typeof value === 'string' && ISO_DAY.test(value));
}

const percents = (rates: number[]): string => rates.map((rate) => `${String(rate)}%`).join(', ');
