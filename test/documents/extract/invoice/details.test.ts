import { describe, expect, test } from '@jest/globals';
import { passesMod97 } from '../../../../documents/extract/invoice/bank.ts';
import { fold, labelledValues, readIdentifier } from '../../../../documents/extract/labels.ts';
import { layoutLines } from '../../../../documents/layout/lines.ts';
import { typedPage } from '../../support.ts';
import { fieldsOf, valuesOf } from './read.ts';

describe('bank details', () => {
  test('an IBAN is checked modulo 97 (ISO 13616); a specimen with wrong digits is less sure', () => {
    expect(passesMod97('GB82WEST12345698765432')).toBe(true);
    expect(passesMod97('GB82WEST12345698765431')).toBe(false);
    const right = fieldsOf('invoice', 'IBAN: GB82 WEST 1234 5698 7654 32 BIC: WESTGB2L')['iban']!;
    const wrong = fieldsOf('invoice', 'IBAN: GB82 WEST 1234 5698 7654 31')['iban']!;
    expect(right.value).toBe('GB82WEST12345698765432');
    expect(wrong.value).toBe('GB82WEST12345698765431');
    expect(right.confidence).toBeGreaterThan(0.9);
    expect(wrong.confidence).toBeLessThan(0.8);
  });

  test('letters that were read for digits are put right where the check proves it', () => {
    expect(valuesOf('invoice', 'IBAN DE89 37O4 0044 0532 0130 00')['iban']).toBe('DE89370400440532013000');
  });

  test('bank, account, sort code, routing number with its check digit', () => {
    const text = 'Bank name: First Harbour Bank\nAccount number: 12345678\nSort code: 20 00 00\nSWIFT: FHBKGB2L';
    expect(valuesOf('invoice', text)).toMatchObject({
      bank_name: 'First Harbour Bank',
      bank_account: '12345678',
      sort_code: '20-00-00',
      swift: 'FHBKGB2L',
    });
    expect(valuesOf('invoice', 'ABA routing number: 021000021')['routing_number']).toBe('021000021');
    expect(valuesOf('invoice', 'ABA routing number: 021000022')).not.toHaveProperty('routing_number');
  });
});

describe('dates', () => {
  test('payment terms give the due date where none is printed, with less confidence', () => {
    const fields = fieldsOf('invoice', 'Invoice date: 24 April 2025\nPayment is due within 45 days of issue');
    expect(fields['due_date']).toMatchObject({ value: '2025-06-08' });
    expect(fields['due_date']!.confidence).toBeLessThan(0.7);
  });

  test('a printed due date goes before the terms', () => {
    const text = 'Invoice date: 24 April 2025\nDue date: 1 May 2025\nPayment terms: 30 days';
    expect(valuesOf('invoice', text)).toMatchObject({ due_date: '2025-05-01', payment_terms: '30 days' });
  });

  test('day and month written with points are never turned round', () => {
    const text = 'Rechnungsdatum: 03.06.2025\nDE 55232 Teststadt';
    expect(valuesOf('invoice', text)['invoice_date']).toBe('2025-06-03');
  });

  test('a date that can be read both ways is less sure than one that cannot', () => {
    const either = fieldsOf('invoice', 'Invoice date: 03/04/2024')['invoice_date']!;
    const one = fieldsOf('invoice', 'Invoice date: 23/04/2024')['invoice_date']!;
    expect(either.confidence).toBeLessThan(one.confidence - 0.1);
  });
});

describe('labels', () => {
  const read = (text: string, label: RegExp): unknown[] =>
    labelledValues(layoutLines([typedPage(text.split('\n'), { width: 1200 })]), label, readIdentifier).map(
      (v) => v.value,
    );

  test('folding keeps every position, so that boxes are found', () => {
    for (const text of ['Échéance Größe', 'N° de façture', 'ŁÓDŹ', 'İstanbul ﬁn', '😀 Nº'])
      expect(fold(text)).toHaveLength(text.length);
    expect(fold('Fälligkeit: ÉCHÉANCE')).toBe('falligkeit: echeance');
  });

  test.each([
    ['InvoiceNo:12345', '12345'],
    ['Invoice # IN916183', 'IN916183'],
    ['Invoice INV/2023/03/0008', 'INV/2023/03/0008'],
    ['Invoice No. 2024-05-17-003', '2024-05-17-003'],
    ['Invoice INV- 20031', 'INV-20031'],
  ])('%s is %s', (text, number) => {
    expect(valuesOf('invoice', text)['invoice_number']).toBe(number);
  });

  test('a date, an amount or a word is no number of a document', () => {
    for (const text of [
      'Invoice 19 April 2014',
      'Invoice total 1,250.00',
      'Invoice Date: 03/04/2024',
      'Invoice for services',
    ])
      expect(valuesOf('invoice', text)).not.toHaveProperty('invoice_number');
  });

  test('the value under a label is found where the cells of the row have no gaps', () => {
    expect(read('Invoice No Date\n1001 03/04/2024', /\bdate\b/)).toEqual([]);
    expect(read('Order Ref\n77A B-12', /\bref\b/)).toEqual(['B-12']);
  });
});
