import { describe, expect, test } from '@jest/globals';
import { fieldsOf, valuesOf } from './read.ts';

describe('amounts', () => {
  test('what is due is the total less what was paid, and the total keeps its own amount', () => {
    const text = `
Total HT                  624,90 €
TVA 5,5 %                  26,25 €
TVA 20 %                   20,00 €
Total TTC                 671,15 €
Acompte                   201,00 €
Net à payer               470,15 €`;
    expect(valuesOf('invoice', text, 'fr')).toMatchObject({
      subtotal: 624.9,
      tax: 46.25,
      total: 671.15,
      amount_paid: 201,
      amount_due: 470.15,
    });
  });

  test('several rates: the tax is their sum and there is no single rate', () => {
    const fields = valuesOf('invoice', 'Net amount  200.00\nVAT 20%  20.00\nVAT 5%  5.00\nTotal  225.00');
    expect(fields).toMatchObject({ subtotal: 200, tax: 25, total: 225 });
    expect(fields).not.toHaveProperty('tax_rate');
  });

  test('an old balance is owed beside the invoice, not a part of its total', () => {
    const text =
      'SUBTOTAL  $100.00\nSALES TAX  $10.00\nTOTAL  $110.00\nPREVIOUS UNPAID BALANCE  $500.00\nAMOUNT DUE  $610.00';
    expect(valuesOf('invoice', text)).toMatchObject({
      subtotal: 100,
      tax: 10,
      total: 110,
      previous_balance: 500,
      amount_due: 610,
    });
  });

  test('no tax is charged: a printed zero is the tax', () => {
    const text =
      'Rechnungssumme ohne USt.  1.163,40\nSteuerbetrag in EUR  0,00\nBruttosumme  1.163,40\nZahlbetrag  1.163,40';
    expect(valuesOf('invoice', text, 'de')).toMatchObject({ subtotal: 1163.4, tax: 0, total: 1163.4 });
  });

  test('amounts of the totals in a heading row with the values under it', () => {
    const text = 'Units      Excl.        VAT         Incl.\n245        3787.70      568.16      4355.86';
    expect(valuesOf('invoice', text)).toMatchObject({ subtotal: 3787.7, tax: 568.16, total: 4355.86 });
  });

  test('totals on the last page go before the subtotal of the first', () => {
    const text =
      'Description  Amount\nPaper  100.00\nSubtotal  100.00\n---\nInk  50.00\nSubtotal  150.00\nTax 10%  15.00\nTotal  165.00';
    const fields = fieldsOf('invoice', text);
    expect(fields['total']).toMatchObject({ value: 165, bbox: { page: 2 } });
    expect(fields['subtotal']).toMatchObject({ value: 150, bbox: { page: 2 } });
  });

  test.each([
    ["Total CHF 1'234.50", 1234.5, 'en'],
    ['Total Rs. 1,23,456.00', 123456, 'en'],
    ['Gesamtbetrag 1.234,56 EUR', 1234.56, 'de'],
    ['Montant total 12\u202f345,60 €', 12345.6, 'fr'],
    ['Total 1\u00a0284,38 €', 1284.38, 'fr'],
    ['Total £3 787.70', 3787.7, 'en'],
  ])('%s is %d', (text, amount, language) => {
    expect(valuesOf('invoice', `Net  1,00\n${text}`.replace('Net  1,00\n', ''), language)['total']).toBe(amount);
  });

  test('a total that adds up is surer than one that does not', () => {
    const sure = fieldsOf('invoice', 'Subtotal  100.00\nTax  10.00\nTotal  110.00')['total']!;
    const unsure = fieldsOf('invoice', 'Subtotal  100.00\nTax  10.00\nTotal  170.00')['total']!;
    expect(sure.confidence).toBeGreaterThan(unsure.confidence + 0.05);
  });
});

describe('currency', () => {
  const at = (address: string, sign: string): unknown =>
    valuesOf('invoice', `Acme Ltd\n${address}\n\nTotal  ${sign}10.00`)['currency'];

  test('a code or a sign, else the country of the vendor', () => {
    expect(at('1 High Street\nLeeds LS1 4AB', '€')).toBe('EUR');
    expect(at('1 High Street\nLeeds LS1 4AB', '')).toBe('GBP');
    expect(at('500 Industrial Blvd\nAustin, TX 78701', '')).toBe('USD');
  });

  test('a bare dollar sign is the dollar of the country', () => {
    expect(at('12 George Street\nSydney NSW 2000\nAustralia', '$')).toBe('AUD');
    expect(at('12 George Street\nAustin, TX 78701', '$')).toBe('USD');
  });
});
