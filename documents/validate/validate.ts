import type { Extraction, ValidateOptions, Validation } from '../types.ts';
import { suggestAccounts } from './accounts.ts';
import { arithmeticChecks } from './arithmetic.ts';
import { customRuleResults } from './custom-rules.ts';
import { taxRateChecks } from './tax-check.ts';
import { matchVendor } from './vendor.ts';

/** Sums that a wrong tax rate would break. */
const TAX_SUMS = ['subtotal_plus_tax_equals_total', 'tax_equals_rate_of_subtotal', 'lines_add_up'];

/**
 * Whether what was read agrees with itself, and with what is known of the world (tax rates) and of the client (suppliers,
 * accounts, own rules). A check whose amounts are missing is left out, never failed.
 */
export function validateExtraction(extraction: Extraction, options: ValidateOptions = {}): Validation {
  const validation: Validation = { checks: arithmeticChecks(extraction) };
  if (options.check_tax_rates === true) {
    const rates = taxRateChecks(extraction, options.country);
    validation.checks.push(...rates);
    const relevant = validation.checks.filter(({ rule }) => TAX_SUMS.includes(rule) || rule === 'tax_rate_exists');
    if (relevant.length > 0) validation.tax_rates_valid = relevant.every(({ passed }) => passed);
  }
  if (options.check_vendor_against_master === true) {
    const vendor = options.vendor === undefined ? matchVendor(extraction, options.vendors ?? []) : options.vendor;
    validation.vendor_verified = vendor !== null;
    validation.vendor = vendor;
  }
  if (options.gl_code_suggestion === true) {
    validation.gl_code_suggestions = suggestAccounts(extraction, options.accounts ?? [], options.lessons ?? []);
  }
  if (options.custom_rules && options.custom_rules.length > 0) {
    validation.rule_results = customRuleResults(extraction, options.custom_rules);
  }
  return validation;
}
