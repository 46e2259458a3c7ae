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

  test('a logo says a part of the name, the foot of the page the whole of it', () => {
    const text = `
KOETS                          CREDITNOTA
                               Nummer CN240018
                               Café Het Anker
                               Kaai 12
                               9300 Aalst

Te uwen gunste   143,39 EUR




Brouwerij De Koets nv - Stationsstraat 60 - 9400 Ninove - BTW BE 0428.759.497`;
    expect(valuesOf('credit_note', text, 'nl')).toMatchObject({
      vendor_name: 'Brouwerij De Koets nv',
      customer_name: 'Café Het Anker',
      total: 143.39,
    });
  });

  test('a letterhead in one line: name above, then street, town and telephone between signs', () => {
    const text = `
Bayside Plumbing Supplies Pty Ltd
ABN 51 824 753 556
210 Beach Road, Mordialloc VIC 3195 | 03 9587 0010 | sales@bayside.com.au

Bill to
Dunn & Sons
18 Malcolm Road
Braeside VIC 3195

Total  $236.50`;
    expect(valuesOf('invoice', text)).toMatchObject({
      vendor_name: 'Bayside Plumbing Supplies Pty Ltd',
      vendor_address: '210 Beach Road, Mordialloc VIC 3195',
      customer_name: 'Dunn & Sons',
      currency: 'AUD',
    });
  });

  test('a street with its number before a dash and the town is no sender', () => {
    const text = `
Ferramenta Brambilla s.n.c.                  Spett.le
Via Garibaldi, 118 - 20052 Monza (MB)        Condominio Le Betulle
P.IVA 02344560965                            Via Acquedotto, 7
                                             20900 Monza (MB)
Totale documento   12,00`;
    expect(valuesOf('invoice', text, 'it')).toMatchObject({
      vendor_name: 'Ferramenta Brambilla s.n.c.',
      vendor_tax_number: '02344560965',
      customer_name: 'Condominio Le Betulle',
    });
  });

  test('signs inside of a name do not divide it', () => {
    const text = 'Bill To:\nTheater - Verein * Mitte - e.V.\nNebenweg 7\n10115 Berlin\n\nTotal 12,00';
    expect(valuesOf('invoice', text)['customer_name']).toBe('Theater - Verein * Mitte - e.V.');
  });

  test('who the payment slip at the foot is made out to is not the customer', () => {
    const text = `
TAX INVOICE                    Kauri Coast Charters Ltd
   Bream Bay Tours             12 Marsden Cove
   8 Ruakaka Beach Rd          Northland 0118
   Ruakaka 0116

Invoice Number   INV-0342
Total  2,127.50





To:  Kauri Coast Charters Ltd
12 Marsden Cove`;
    expect(valuesOf('invoice', text)).toMatchObject({
      vendor_name: 'Kauri Coast Charters Ltd',
      customer_name: 'Bream Bay Tours',
      invoice_number: 'INV-0342',
    });
  });
});

describe('references and amounts of layouts nobody has seen', () => {
  test('income tax that the buyer keeps back makes the total smaller, and the net amount no smaller', () => {
    const text = `
Base imponible          2.100,00
IVA (21%)                 441,00
Retención IRPF (-15%)    -315,00
Total                   2.226,00 EUR`;
    expect(valuesOf('invoice', text, 'es')).toMatchObject({ subtotal: 2100, tax: 441, total: 2226 });
  });

  test('a discount alone, without any tax, makes the total up', () => {
    const text =
      'Phase subtotal  $3,590.00\nSubtotal  $6,130.00\nLoyalty discount 10%  -$613.00\nAmount due  $5,517.00';
    expect(valuesOf('invoice', text)).toMatchObject({ subtotal: 6130, discount: 613, total: 5517 });
  });

  test('a number of pieces between a label and its amount is no label', () => {
    const text = 'Goods  1,18,400.00\nIGST 5%  5,920.00\nTotal    560 PCS    Rs. 1,24,320.00\nGSTIN 33AABFS1234C1Z8';
    expect(valuesOf('invoice', text)).toMatchObject({ total: 124320, tax: 5920, currency: 'INR' });
  });

  test('a label in a cell of its own over the number', () => {
    const text = 'FATTURA\nNumero      Data          Pagina\n318/A       30/11/2023    1/1';
    expect(valuesOf('invoice', text, 'it')['invoice_number']).toBe('318/A');
  });

  test('the town beside a label is not the number under it', () => {
    const text = 'Invoice Number     Northland 0118\nINV-0342';
    expect(valuesOf('invoice', text)['invoice_number']).toBe('INV-0342');
  });

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
