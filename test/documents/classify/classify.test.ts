import { describe, expect, test } from '@jest/globals';
import { statSync } from 'node:fs';
import { classifyPages } from '../../../documents/classify/classify.ts';
import { documentTypes } from '../../../documents/index.ts';
import { generateDocuments } from '../../../documents/train/generate.ts';
import { typedPage } from '../support.ts';

const sheet = { width: 1700 };
const typeOf = (lines: string[], options: { width?: number } = sheet): string =>
  classifyPages([typedPage(lines, options)]).document_type;

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
    [
      'proof_of_address',
      [
        'City of Cape Town',
        'TO WHOM IT MAY CONCERN',
        'We hereby confirm that Thandi Nkosi resides at the address below',
        '7 Church Street',
        'Yours faithfully',
      ],
    ],
  ])('%s', (type, lines) => {
    expect(typeOf(lines)).toBe(type);
  });

  test.each([
    [
      'invoice',
      ['Muster GmbH', 'Rechnung', 'Rechnungsnummer: 4711', 'Rechnungsdatum 01.02.2024', 'Gesamtbetrag 119,00'],
    ],
    ['credit_note', ['Dupont SARL', 'Avoir', 'Avoir n° 118', "Facture d'origine 4711", 'Montant 20,00']],
    [
      'delivery_note',
      ['Rossi S.r.l.', 'Documento di trasporto', 'DDT n. 14', 'Vettore', 'Colli 3', 'Firma del destinatario'],
    ],
    ['purchase_order', ['De Vries B.V.', 'Inkooporder', 'Bestelnummer 99', 'Leverancier', 'Leverdatum 1-2-2024']],
    [
      'bank_statement',
      ['Banco Popular', 'Extracto de cuenta', 'Titular Ana', 'Saldo inicial 10,00', 'Transferencia 5,00'],
    ],
    ['proof_of_address', ['Stadt Bonn', 'Meldebescheinigung', 'Hiermit wird bescheinigt, dass Anna', 'wohnhaft in']],
    ['contract', ['Contrato de arrendamento', 'Cláusula primeira: objeto', 'As partes acordam', 'Foro de Lisboa']],
    ['drivers_license', ['RYBEWYS', 'REPUBLIEK VAN SUID-AFRIKA', 'Vehicle codes B', 'Driver restr. 0']],
    ['supplier_statement', ['Tan Sdn Bhd', 'PENYATA AKAUN', 'Invois INV2231 398.72', '30 hari 60 hari 90 hari 12.00']],
  ])('%s in another language', (type, lines) => {
    expect(typeOf(lines)).toBe(type);
  });

  test('a till slip that calls itself TAX INVOICE is a receipt', () => {
    const lines = ['KEDAI MAKAN SDN BHD', 'TAX INVOICE', 'Bill No: 221', '21/03/2018 14:22:08', 'Cashier: Ana'];
    lines.push('Nasi lemak   4.50', 'Teh tarik   2.00', 'TOTAL   6.50', 'CASH   10.00', 'CHANGE   3.50', 'THANK YOU');
    expect(typeOf(lines, { width: 420 })).toBe('receipt');
  });

  test('letters that readers take for others and gaps that they lose hide no title', () => {
    expect(typeOf(['Acme Ltd', 'PURCHASE0RDER', 'P0 Number: 4711', 'OrderDate 1 May 2025', 'Shipto'])).toBe(
      'purchase_order',
    );
    expect(typeOf(['Acme Ltd', 'CREDITN0TE', 'Against lnvoice 4711', 'Credit tota1 10.00'])).toBe('credit_note');
  });

  test('a card with a machine-readable zone of three short lines is no passport', () => {
    const lines = ['REPUBLIC', 'I<UTOD231458907<<<<<<<<<<<<<<<', '7408122F1204159UTO<<<<<<<<<<<6'];
    expect(typeOf([...lines, 'ERIKSSON<<ANNA<MARIA<<<<<<<<<<'])).toBe('id_document');
  });
});

describe('confidences', () => {
  const { document_type, confidence, alternatives } = classifyPages([typedPage(['Statement', '10.00'], sheet)]);

  test('all types are listed once, likeliest first, and sum to 1', () => {
    expect([document_type, ...alternatives.map(({ type }) => type)].sort()).toEqual([...documentTypes].sort());
    const listed = [confidence, ...alternatives.map((one) => one.confidence)];
    expect(listed).toEqual([...listed].sort((a, b) => b - a));
    expect(listed.reduce((sum, one) => sum + one, 0)).toBeCloseTo(1, 6);
  });

  test.each([
    ['an empty page', [typedPage([], sheet)]],
    ['a document without pages', []],
    ['noise', [typedPage(['x9 ## ~~ qqq', '%%%%'], sheet)]],
  ])('%s is no certain anything', (_, pages) => {
    expect(classifyPages(pages).confidence).toBeLessThan(0.5);
  });

  test('pages may come in any order', () => {
    const first = { ...typedPage(['Acme Ltd', 'INVOICE', 'Invoice No: 1', 'Total 10.00'], sheet), page: 1 };
    const second = { ...typedPage(['Terms', 'Payment within 30 days'], sheet), page: 2 };
    expect(classifyPages([second, first])).toEqual(classifyPages([first, second]));
  });

  test('a line of a hundred thousand letters costs no more than a moment', () => {
    const started = performance.now();
    classifyPages([typedPage(['a'.repeat(100_000), '<'.repeat(50_000), '1,'.repeat(50_000)], sheet)]);
    expect(performance.now() - started).toBeLessThan(2000);
  });
});

describe('the trained parameters', () => {
  test('are small', () => {
    const file = new URL('../../../documents/classify/parameters.json', import.meta.url);
    expect(statSync(file).size).toBeLessThan(60_000);
  });

  test('know invented documents of every type and language that they were not trained on', () => {
    const documents = generateDocuments(18, 4711);
    const wrong = documents.filter(({ type, pages }) => classifyPages(pages).document_type !== type);
    expect(wrong.length / documents.length).toBeLessThan(0.05);
  });
});
