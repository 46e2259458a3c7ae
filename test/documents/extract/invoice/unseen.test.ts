import { describe, expect, test } from '@jest/globals';
import { valuesOf } from './read.ts';

/** Layouts of invented issuers, after what was misread on generated documents. */
describe('parties of layouts nobody has seen', () => {
  test('two unlabelled blocks: who writes states its registration, though only the other has a legal form', () => {
    const text = `
Rechnung                       Schreinerei Zgraggen
                               Dorfstrasse 19
                               6460 Altdorf
Seeblick Hotels AG             MWST-Nr.: CHE-218.322.115
Quai 7
8001 Zürich
Rechnung Nr. 2022-395




Anfahrt                        732,88
Gesamtbetrag CHF               732,88`;
    expect(valuesOf('invoice', text, 'de')).toMatchObject({
      vendor_name: 'Schreinerei Zgraggen',
      customer_name: 'Seeblick Hotels AG',
    });
  });

  test('the vendor is named at the foot of the page only', () => {
    const text = `
INVOICE
Bill To                        Invoice No. 4471
Moss & Hale Catering           Date 3 May 2024
Unit 9 Canal Wharf
Leeds LS11 5QP

Description                    Amount
Freight to site                 90.00

Total                          £90.00





Thornbury Joinery Ltd | 14 Kiln Lane | Bristol BS35 2AH`;
    const fields = valuesOf('invoice', text);
    expect(fields).toMatchObject({ vendor_name: 'Thornbury Joinery Ltd', customer_name: 'Moss & Hale Catering' });
    expect(fields['vendor_address']).toBe('14 Kiln Lane, Bristol BS35 2AH');
  });

  test('a label whose value stands under it is nobody', () => {
    const text = `
Uw bestelling
PO-4471
Bloemsierkunst De Linde
Dorpsstraat 7
2712 AK Zoetermeer
Btw-nummer: NL123456789B01`;
    expect(valuesOf('invoice', text, 'nl')).toMatchObject({ vendor_name: 'Bloemsierkunst De Linde' });
  });

  test('an abbreviated Spanish avenue and an industrial estate are parts of an address', () => {
    const address = (street: string): unknown =>
      valuesOf('invoice', `Emisor:\nTalleres Ibarra S.L.\n${street}\n41001 Sevilla`, 'es')['vendor_address'];
    expect(address('Avda. de la Constitución 9, 2º B')).toBe('Avda. de la Constitución 9, 2º B, 41001 Sevilla');
    expect(address('Pol. Ind. El Pla, nave 7')).toBe('Pol. Ind. El Pla, nave 7, 41001 Sevilla');
  });

  test('a building between the name and the street belongs to the address', () => {
    const text = 'Bill To:\nPennine Scaffolding Limited\nThe Old Foundry\nMill Road\nHuddersfield HD1 3EW';
    expect(valuesOf('invoice', text)['customer_address']).toBe('The Old Foundry, Mill Road, Huddersfield HD1 3EW');
  });

  test("the sender line of a letter: a name with a street's word, and a legal form behind a comma", () => {
    const sender = (line: string): unknown =>
      valuesOf('invoice', `${line}\n\nCorrib Seafoods\nDocks Road 3\n`)['vendor_name'];
    expect(sender('Bay Street Dental · 1200 Bay St Suite 300 · Savannah, GA 31401')).toBe('Bay Street Dental');
    expect(sender('Cerâmica do Vouga, Lda. · Rua da Estação, 120 · 3800-175 Aveiro')).toBe('Cerâmica do Vouga, Lda.');
  });
});

describe('references and amounts of layouts nobody has seen', () => {
  test('a number ends with its cell: the house number of the next column is no part of it', () => {
    const text = 'CREDIT NOTE\nOriginal Invoice: INV-1044    480 Harbor Road\nCredit Note No: CN-7';
    expect(valuesOf('credit_note', text)['original_invoice_number']).toBe('INV-1044');
  });

  test.each([
    ['Applies to invoice R65226', 'R65226', 'en'],
    ['Annule la facture F77879', 'F77879', 'fr'],
    ['Storno fattura n. 60411', '60411', 'it'],
    ['Credit op factuur 24-1188', '24-1188', 'nl'],
    ['Documento de origem: FT-3310', 'FT-3310', 'pt'],
  ])('the invoice that is credited: %s', (line, expected, language) => {
    const fields = valuesOf('credit_note', `Total  12.00\n${line}`, language);
    expect(fields['original_invoice_number']).toBe(expected);
  });

  test.each([
    ['Sua encomenda: 45000917', 'pt'],
    ['Uw ordernummer: 45000917', 'nl'],
    ['Vs. ordine: 45000917', 'it'],
  ])("the buyer's order: %s", (line, language) => {
    expect(valuesOf('invoice', line, language)['purchase_order_number']).toBe('45000917');
  });

  test('a Dutch order by its own words', () => {
    const fields = valuesOf('purchase_order', 'INKOOPORDER\nInkoopordernummer: 2024-591\nOrderdatum: 24-09-2024', 'nl');
    expect(fields).toMatchObject({ purchase_order_number: '2024-591', order_date: '2024-09-24' });
  });

  test('a number that begins with R is no amount in rand', () => {
    const text = 'Credit Note No: R65474\nTotal  12.00\nAlle Beträge in CHF';
    expect(valuesOf('credit_note', text, 'de')['currency']).toBe('CHF');
  });

  test('an Italian town with its province in capitals does not make the dates American', () => {
    const text = 'FATTURA\nStudio Bianchi\nCorso Emanuele 140\nTO 10121 Torino\nData fattura 02/05/2022\nTotale 12,00';
    expect(valuesOf('invoice', text, 'it')['invoice_date']).toBe('2022-05-02');
  });
});
