import { describe, expect, test } from '@jest/globals';
import { createContext } from '../../../documents/extract/context.ts';
import { extractReceipt } from '../../../documents/extract/receipt/receipt.ts';
import type { ExtractionField, ExtractOptions } from '../../../documents/index.ts';
import { typedPage } from '../support.ts';

const read = (lines: string[], options: ExtractOptions = {}): Record<string, ExtractionField> =>
  extractReceipt(createContext([typedPage(lines, { width: 440 })], options));

describe('the currency', () => {
  test.each([
    [['Maple Diner, Toronto ON M5V 2T6', 'HST 13%  $1.30', 'Total  $11.30'], 'CAD'],
    [['Harbour Shop', 'Auckland 1010', 'GST No 123-456-789', 'Total  $11.50'], 'NZD'],
    [['Corner Store, Austin, TX 78701', 'Total  $11.50'], 'USD'],
    [['Kaffe AB', 'Storgatan 4, Stockholm', 'Summa  85,00 kr'], 'SEK'],
    [['Kedai Maju', 'Jalan Besar, Johor', 'Total  8.97'], 'MYR'],
  ])('%j', (lines, currency) => {
    expect(read(lines)['currency']?.value).toBe(currency);
  });

  test('a lone "R" on a Malaysian receipt is a torn "RM"', () => {
    expect(read(['AEON CO. (M) BHD', 'Jalan Jejaka, 55100 Kuala Lumpur', 'Total R8,97'])['currency']?.value).toBe(
      'MYR',
    );
  });

  test('the client’s currency where the page tells nothing, and little trust in it', () => {
    const field = read(['CORNER', 'Total 8.97'], { currency: 'BWP' })['currency'];
    expect(field).toMatchObject({ value: 'BWP' });
    expect(field?.confidence).toBeLessThanOrEqual(0.5);
    expect(read(['CORNER', 'Total 8.97'])['currency']).toBeUndefined();
  });
});

describe('date and time', () => {
  test('the purchase, not the expiry of an offer, the opening hours or a pick-up', () => {
    const fields = read([
      'CORNER STORES LTD',
      'Open 08:00 - 20:00',
      'Offer valid until 31/12/2025',
      'Date: 14/02/2025 17:45:10',
      'Pickup Time: 18:10:00',
    ]);
    expect(fields['date']?.value).toBe('2025-02-14');
    expect(fields['time']?.value).toBe('17:45:10');
  });

  test.each([
    ['12:28 AM', '00:28'],
    ['12:05 PM', '12:05'],
    ['8:53:27 PM', '20:53:27'],
    ['14h05', '14:05'],
    ['14.05 Uhr', '14:05'],
  ])('%s', (printed, time) => {
    expect(read(['CORNER STORES LTD', `02/13/2022 ${printed}`])['time']?.value).toBe(time);
  });

  test('digits that were read as letters', () => {
    expect(read(['CORNER STORES LTD', 'Date: O5/l2/2O24'])['date']?.value).toBe('2024-12-05');
  });

  test('of two readings of one day the written month is believed', () => {
    expect(read(['CORNER STORES LTD', '04:54 pm,27 March,2018', '27/03/2016 16:54'])['date']?.value).toBe('2018-03-27');
  });

  test('a page of dollars with an American telephone number is read month first', () => {
    expect(read(['Contoso', '987-654-3210', '6/10/2019 13:59', 'Total $14.50'])['date']?.value).toBe('2019-06-10');
  });
});

describe('numbers', () => {
  test.each([
    ['Tel: 03-2163 2766/2181 6768', '03-2163 2766'],
    ['TEL 1-300-80-AEON (2366)', '1-300-80-AEON'],
    ['Tel. 0221 / 123456', '0221 / 123456'],
    ['TEL:03-3271 9872FAX:03-3271 9481', '03-3271 9872'],
  ])('telephone in %s', (line, phone) => {
    expect(read(['CORNER STORES LTD', line])['merchant_phone']?.value).toBe(phone);
  });

  test.each([
    ['GST REF NO : 001694261248', '001694261248'],
    ['(GSTID No 0012 8542 3104)', '001285423104'],
    ['VAT Reg No GB 123 4567 89', 'GB123456789'],
    ['CHE-123.456.789 MWST', undefined],
    ['CA TAX 7.7500 on 143.749', undefined],
    ['GST 6% 33.57', undefined],
  ])('tax number in %s', (line, number) => {
    expect(read(['CORNER STORES LTD', line])['merchant_tax_number']?.value).toBe(number);
  });

  test.each([
    [['Order No: 197', 'Receipt #: CSPD029197'], 'CSPD029197'],
    [['Invoice No.: CS 10090'], 'CS 10090'],
    [['TAX INVOICE', 'Date: 03/04/2018'], undefined],
    [['Company Reg No: 123456-A'], undefined],
  ])('receipt number in %j', (lines, number) => {
    expect(read(['CORNER STORES LTD', ...lines])['receipt_number']?.value).toBe(number);
  });

  test('a loyalty card is no means of payment', () => {
    const fields = read(['CORNER STORES LTD', 'Loyalty card ****9926', 'Total 4.00', 'Cash 5.00', 'Change 1.00']);
    expect(fields['card_last4']).toBeUndefined();
    expect(fields['payment_method']?.value).toBe('cash');
  });
});

describe('hostile pages', () => {
  test.each([
    ['a line of thousands of words', [Array.from({ length: 4000 }, () => 'tel 123').join(' ')]],
    ['a word of a hundred thousand digits', ['1'.repeat(100_000)]],
    ['a hundred thousand stars', ['*'.repeat(100_000)]],
    ['nothing but marks', ['.,:;', '---', '()', '#', '%']],
    ['hundreds of totals', Array.from({ length: 400 }, (_, i) => `total ${String(i)}.25`)],
  ])('%s: an answer in a moment', (_, lines) => {
    const started = performance.now();
    expect(typeof read(lines)).toBe('object');
    expect(performance.now() - started).toBeLessThan(5000);
  });
});
