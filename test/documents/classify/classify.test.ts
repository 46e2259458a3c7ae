import { describe, expect, test } from '@jest/globals';
import { classifyPages } from '../../../documents/classify/classify.ts';
import { typedPage } from '../support.ts';

const sheet = { width: 1700 };

describe('classification by words and shape', () => {
  test.each([
    ['invoice', ['Acme Ltd                INVOICE', 'Invoice No: IN-1', 'Bill To', 'Zen Ltd', 'Total 10.00']],
    [
      'credit_note',
      ['Acme Ltd                CREDIT NOTE', 'Credit Note No: CN-1', 'Against invoice: IN-1', 'Credit total 10.00'],
    ],
    [
      'purchase_order',
      ['Acme Ltd                PURCHASE ORDER', 'PO Number: PO-1', 'Order date: 1 May 2025', 'Ship to'],
    ],
    [
      'delivery_note',
      ['Acme Ltd                DELIVERY NOTE', 'Delivery Note No: DN-1', 'Received in good condition by:'],
    ],
    [
      'supplier_statement',
      [
        'Acme Ltd                STATEMENT OF ACCOUNT',
        '26 Nov 2025  INV7721  Invoice  398.72',
        'Balance brought forward 10.00',
      ],
    ],
    [
      'bank_statement',
      [
        'First Harbor Bank       Account Statement',
        'Account holder',
        'Paid out     Paid in     Balance',
        'Opening balance 10.00',
      ],
    ],
    [
      'bill',
      ['Brightspark Energy      ELECTRICITY BILL', 'Billing period: May', 'Standing charge 18.96', 'Usage 492 kWh'],
    ],
    ['contract', ['NON-DISCLOSURE AGREEMENT', 'WHEREAS the parties wish', 'governed by the laws of Delaware']],
    ['resume', ['John Doe', 'Experience', 'Education', 'Skills', 'linkedin.com/in/john']],
    ['passport', ['PASSPORT', 'P<UTOERIKSSON<<ANNA<MARIA<<<<<<<<<<<<<<<<<<<']],
    ['drivers_license', ['DRIVER LICENSE', 'DL NO 123', 'CLASS C']],
  ])('%s', (type, lines) => {
    expect(classifyPages([typedPage(lines, sheet)]).document_type).toBe(type);
  });

  test('an empty page is no certain anything', () => {
    expect(classifyPages([typedPage([], sheet)]).confidence).toBeLessThan(0.5);
  });
});
