import { describe, expect, test } from '@jest/globals';
import { createContext } from '../../../documents/extract/context.ts';
import { extractReceipt } from '../../../documents/extract/receipt/receipt.ts';
import type { ExtractionField } from '../../../documents/index.ts';
import { typedPage } from '../support.ts';

const read = (lines: string[]): Record<string, ExtractionField> =>
  extractReceipt(createContext([typedPage(lines, { width: 440 })]));
const head = ['   LAKESIDE STORES SDN BHD', '   3, Jalan Besar, 50000 Kuala Lumpur', 'Date: 05/03/2018'];

describe('the total of a receipt', () => {
  test('one digit misread is put right where cash − change and the sum of the parts agree', () => {
    const fields = read([
      ...head,
      'Sub Total              106.10',
      'Total GST                6.37',
      'Rounding                -0.02',
      'Total                  112.46',
      'Cash                   120.00',
      'Change                   7.55',
    ]);
    expect(fields['total']?.value).toBe(112.45);
    expect(fields['total']?.confidence).toBeLessThan(0.9);
  });

  test('a total printed before it is rounded is left as it is printed', () => {
    const fields = read([
      ...head,
      'Sub Total               46.54',
      'Total                   46.54',
      'Cash                    50.00',
      'Change                   3.45',
    ]);
    expect(fields['total']?.value).toBe(46.54);
  });

  test('the rounded total is what is paid', () => {
    const fields = read([
      ...head,
      'Total Sales Incl GST    98.37',
      'Rounding Adj            -0.02',
      'Total After Adj         98.35',
      'CASH                   100.00',
      'Change                   1.65',
    ]);
    expect(fields['total']?.value).toBe(98.35);
  });

  test('neither the sums of the tax table, nor savings, nor the number of items', () => {
    const fields = read([
      ...head,
      'BREAD                    4.90',
      'MILK                     8.60',
      'TOTAL QTY                   2',
      'TOTAL SAVINGS           12.00',
      'TOTAL RM                13.50',
      'GST SUMMARY   AMOUNT      TAX',
      'SR 6%          12.74     0.76',
      'TOTAL          12.74     0.76',
    ]);
    expect(fields['total']?.value).toBe(13.5);
  });

  test('partial totals of a rate are not the total, and a credit note in cash is negative', () => {
    const fields = read([
      ...head,
      'Total 0% supplies:      12.98',
      'Total 6% supplies:     -14.71',
      'Total 0% supplies:      12.98',
      'Total Payable:          -1.73',
    ]);
    expect(fields['total']?.value).toBe(-1.73);
  });

  test('a time at the end of a line is no amount', () => {
    const fields = read([...head, '05/03/2018 11:20', 'Total                    8.40', '05/03/2018 23:59']);
    expect(fields['total']?.value).toBe(8.4);
  });

  test('agreement makes a total surer than its label alone', () => {
    const alone = read([...head, 'Total                   13.50']);
    const agreed = read([...head, 'Total                   13.50', 'Cash   20.00', 'Change   6.50']);
    expect(agreed['total']?.confidence).toBeGreaterThan(0.9);
    expect(agreed['total']?.confidence).toBeGreaterThanOrEqual(alone['total']?.confidence ?? 1);
  });

  test('without any amount there is no total, and nothing is made up', () => {
    const fields = read(head);
    for (const name of ['total', 'subtotal', 'tax', 'tip', 'cash', 'change']) expect(fields[name]).toBeUndefined();
  });
});

describe('tip and tax', () => {
  const slip = ['   HARBOR DINER', '   12 Pier Road, Boston, MA 02110', 'Subtotal   $40.00', 'Tax   $2.80'];

  test('a tip that can’t be read is what subtotal and tax leave of the total, and is less sure', () => {
    const fields = read([...slip, 'Tip   $8..o', 'Total   $50.80']);
    expect(fields['tip']?.value).toBe(8);
    expect(fields['tip']?.confidence).toBeLessThan(0.7);
  });

  test('an empty tip line gives no tip', () => {
    expect(read([...slip, 'Tip   ______', 'Total   $42.80'])['tip']).toBeUndefined();
  });

  test('the rate is the printed one, else the one that the amounts give', () => {
    expect(read([...slip, 'Total   $42.80'])['tax']).toMatchObject({ value: 2.8, tax_rate: 7 });
    expect(read([...head, 'VAT 15%   1.50', 'Total   11.50'])['tax']).toMatchObject({ value: 1.5, tax_rate: 15 });
  });

  test('a registration number behind "GST" is no tax', () => {
    expect(read([...head, 'GST Reg No: 001122334455', 'Total   9.00'])['tax']).toBeUndefined();
  });
});
