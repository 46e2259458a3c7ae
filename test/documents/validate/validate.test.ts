import { describe, expect, test } from '@jest/globals';
import type { CustomRule, Extraction, LineItem } from '../../../documents/index.ts';
import { safeRegex } from '../../../documents/validate/safe-regex.ts';
import { taxRatesOn } from '../../../documents/validate/tax-rates.ts';
import { validateExtraction } from '../../../documents/validate/validate.ts';
import { nameSimilarity } from '../../../documents/validate/vendor.ts';

const cell = (value: unknown) => ({ value, confidence: 0.9 });
const line = (description: string): LineItem => ({
  description: cell(description),
  quantity: cell(null),
  unit_price: cell(null),
  total: cell(null),
});

function extraction(values: Record<string, unknown>, lines: LineItem[] = [], taxRate?: number): Extraction {
  const fields: Extraction['fields'] = {};
  for (const [name, value] of Object.entries(values)) fields[name] = { value, confidence: 0.9, bbox: null };
  if (taxRate !== undefined && fields['tax']) fields['tax'].tax_rate = taxRate;
  return { document_type: 'invoice', document_type_confidence: 1, fields, line_items: lines, alternatives: [] };
}

const rateCheck = (document: Extraction, country?: string) =>
  validateExtraction(document, { check_tax_rates: true, country }).checks.find(
    ({ rule }) => rule === 'tax_rate_exists',
  );

describe('tax rates', () => {
  test.each([
    ['DE', '2020-06-30', 19, true],
    ['DE', '2020-07-01', 16, true],
    ['DE', '2020-12-31', 19, false],
    ['ZA', '2018-03-31', 14, true],
    ['ZA', '2018-04-01', 14, false],
    ['GB', '2010-06-01', 17.5, true],
    ['MY', '2018-06-15', 6, false],
    ['SG', '2024-01-01', 9, true],
    ['IN', '2025-10-01', 28, false],
  ])('%s on %s: %f%% exists: %p', (country, day, rate, exists) => {
    expect(taxRatesOn(country, day)?.some((known) => known.rate === rate)).toBe(exists);
  });

  test('every row is a rate with days in order', () => {
    for (const country of 'ZA NA BW GB IE DE FR NL ES IT PT US AU NZ MY SG IN AE KE NG'.split(' ')) {
      for (const { rate, from, until } of taxRatesOn(country) ?? [{ rate: NaN, from: '' }]) {
        expect(rate).toBeGreaterThan(0);
        expect(from).toMatch(/^\d{4}-\d\d-\d\d$/);
        if (until !== undefined) expect(until > from).toBe(true);
      }
    }
  });

  test('the country comes from the tax number before the address, the currency and the client', () => {
    const values = { tax: 19, subtotal: 100, invoice_date: '2023-05-01', currency: 'EUR' };
    expect(
      rateCheck(
        extraction({ ...values, vendor_tax_number: 'DE 123 456 789', vendor_address: 'Paris, France' }, [], 19),
      ),
    ).toMatchObject({ passed: true, message: '19% in DE on 2023-05-01' });
    expect(rateCheck(extraction({ ...values, vendor_address: '1 rue X, 75001 Paris, France' }, [], 19))).toMatchObject({
      passed: false,
    });
    expect(rateCheck(extraction({ ...values, currency: 'ZAR' }, [], 15))).toMatchObject({ passed: true });
    expect(rateCheck(extraction(values, [], 19), 'DE')).toMatchObject({ passed: true });
    expect(rateCheck(extraction({ ...values, currency: 'XOF' }, [], 19), 'DE')).toBeUndefined();
  });

  test('without a printed rate the amounts say it, with their rounding; a mix lies between the rates', () => {
    const at = (tax: number) => rateCheck(extraction({ tax, subtotal: 33.33, currency: 'ZAR', date: '2024-01-01' }));
    expect(at(5)).toMatchObject({ passed: true, message: '15% in ZA on 2024-01-01' });
    expect(at(2)).toMatchObject({ passed: true });
    expect(at(9)).toMatchObject({ passed: false });
  });

  test('no national tax, no check', () => {
    const { checks, tax_rates_valid } = validateExtraction(extraction({ tax: 8, currency: 'USD' }), {
      check_tax_rates: true,
    });
    expect(checks).toEqual([]);
    expect(tax_rates_valid).toBeUndefined();
  });

  test('a wrong sum makes the tax invalid though its rate exists', () => {
    const document = extraction({ subtotal: 100, tax: 15, total: 118, currency: 'ZAR' }, [], 15);
    expect(validateExtraction(document, { check_tax_rates: true }).tax_rates_valid).toBe(false);
  });
});

describe('vendor', () => {
  const vendors = [
    { id: 1, name: 'Northwind Traders Ltd', tax_number: 'GB 123 4567 89' },
    { id: 2, name: 'Southwind Trading' },
  ];
  const find = (values: Record<string, unknown>) =>
    validateExtraction(extraction(values), { check_vendor_against_master: true, vendors });

  test('by tax number, however it is spaced, before the name', () => {
    expect(find({ vendor_name: 'Southwind Trading', vendor_tax_number: 'GB123456789' })).toMatchObject({
      vendor_verified: true,
      vendor: { contact_id: 1, matched_by: 'tax_number', score: 1 },
    });
  });

  test('by a name that is nearly the same', () => {
    expect(find({ vendor_name: 'NORTHWIND TRADERS LIMITED' }).vendor).toMatchObject({
      contact_id: 1,
      matched_by: 'name',
    });
    expect(find({ vendor_name: 'Contoso' })).toMatchObject({ vendor_verified: false, vendor: null });
    expect(find({})).toMatchObject({ vendor_verified: false });
  });

  test('a match of the caller is taken as it is', () => {
    const options = { check_vendor_against_master: true, vendor: null, vendors };
    expect(validateExtraction(extraction({ vendor_name: 'Southwind Trading' }), options).vendor_verified).toBe(false);
  });

  test('the likeness is that of pg_trgm', () => {
    expect(nameSimilarity('word', 'two words')).toBeCloseTo(0.363_636, 5);
    expect(nameSimilarity('', '')).toBe(0);
  });
});

describe('ledger accounts', () => {
  const accounts = [
    { gl_code: '6100', gl_name: 'Motor vehicle fuel' },
    { gl_code: '6200', gl_name: 'Office stationery' },
    { gl_code: '6300', gl_name: 'Bürobedarf', keywords: ['Kaffee'] },
    { gl_code: '6400', gl_name: 'Professional fees' },
  ];
  const suggest = (description: string, lessons = [] as { description: string; vendor?: string; gl_code: string }[]) =>
    validateExtraction(extraction({ vendor_name: 'Acme' }, [line(description)]), {
      gl_code_suggestion: true,
      accounts,
      lessons,
    }).gl_code_suggestions ?? [];

  test('by the vocabulary of expenses, in several languages', () => {
    expect(suggest('Diesel 50ppm 42.1 l')).toMatchObject([{ line: 1, gl_code: '6100', gl_name: 'Motor vehicle fuel' }]);
    expect(suggest('Honorar Steuerberatung März')).toMatchObject([{ gl_code: '6400' }]);
  });

  test('by the keywords of an account', () => {
    expect(suggest('KAFFEE gemahlen 1 kg')).toMatchObject([{ gl_code: '6300' }]);
  });

  test('what people chose before wins over the vocabulary, and is surer', () => {
    const lessons = [{ description: 'Diesel for the generator', vendor: 'Acme', gl_code: '6400' }];
    expect(suggest('Diesel generator', lessons)).toMatchObject([{ gl_code: '6400' }]);
    const agreeing = suggest('Diesel generator', [{ description: 'Diesel for the generator', gl_code: '6100' }]);
    expect(agreeing[0]?.confidence).toBeGreaterThan(suggest('Diesel generator')[0]?.confidence ?? 1);
  });

  test('nothing to go by, no suggestion', () => {
    expect(suggest('Xyzzy 42')).toEqual([]);
    expect(suggest('')).toEqual([]);
  });
});

describe('custom rules', () => {
  const document = extraction({
    total: 100,
    invoice_number: 'INV-2024-17',
    invoice_date: '2024-05-01',
    due_date: '2024-05-31',
    currency: 'EUR',
  });
  const run = (rule: CustomRule) => validateExtraction(document, { custom_rules: [rule] }).rule_results?.[0];

  test.each<[CustomRule, boolean]>([
    [{ field: 'total', rule: 'required' }, true],
    [{ field: 'iban', rule: 'required' }, false],
    [{ field: 'invoice_number', rule: 'regex', value: '^INV-\\d{4}-\\d+$' }, true],
    [{ field: 'invoice_number', rule: 'regex', value: '^ACME' }, false],
    [{ field: 'total', rule: 'min', value: 100 }, true],
    [{ field: 'total', rule: 'max', value: 99.99 }, false],
    [{ field: 'total', rule: 'max', value: 'much' }, false],
    [{ field: 'currency', rule: 'one_of', value: ['usd', 'eur'] }, true],
    [{ field: 'total', rule: 'one_of', value: 100 }, false],
    [{ field: 'total', rule: 'equals_field', value: 'amount_due' }, false],
    [{ field: 'due_date', rule: 'date_after', value: 'invoice_date' }, true],
    [{ field: 'due_date', rule: 'date_before', value: '2024-05-15' }, false],
    [{ field: 'due_date', rule: 'date_before', value: 'total' }, false],
    [{ field: 'iban', rule: 'regex', value: 'x' }, true],
  ])('%j passes: %p', (rule, passed) => {
    expect(run(rule)).toMatchObject({ field: rule.field, rule: rule.rule, passed });
  });

  test("a rule's own message is said where it fails", () => {
    expect(run({ field: 'total', rule: 'max', value: 50, message: 'Over budget' })?.message).toBe('Over budget');
  });
});

describe('patterns of callers', () => {
  test.each([
    '(a+)+$',
    '(a|a)*',
    '(.*)*',
    '(a|b|ab)+c',
    '^(\\d+)\\1$',
    '(?=a)b',
    '.*.*.*x',
    '[',
    'a'.repeat(201),
    '(a?){30}',
    'a?'.repeat(40) + 'b',
  ])('%s is refused', (pattern) => {
    expect(typeof safeRegex(pattern)).toBe('string');
  });

  test.each([
    '^[A-Z]{2,4}-\\d{3,8}$',
    '(GmbH|Ltd\\.?)$',
    '\\d+\\.\\d{2}',
    '^\\(?\\d+\\)?$',
    '[(?]',
    '(ab)+',
    '^(?:INV|CN)-.+$',
  ])('%s is accepted', (pattern) => {
    expect(safeRegex(pattern)).toBeInstanceOf(RegExp);
  });

  test('the slowest pattern that is accepted ends soon', () => {
    const regex = safeRegex('a*a*b') as RegExp;
    const started = performance.now();
    regex.test('a'.repeat(300));
    expect(performance.now() - started).toBeLessThan(1000);
  });
});
