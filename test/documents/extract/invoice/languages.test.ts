import { describe, expect, test } from '@jest/globals';
import { valuesOf } from './read.ts';

const german = `
Muster & Söhne GmbH · Hauptstr. 5 · 80331 München

Beispiel AG
Frau Erika Beispiel
Nebenweg 7
10115 Berlin                                      Rechnungsdatum: 03.04.2024
                                                  Kundennummer: 4711
Rechnung Nr. 2024-0815

Pos  Bezeichnung         Menge   Einzelpreis    Betrag
1    Schrauben           10      1,20           12,00
2    Bretter             2       500,00         1.000,00

                         Zwischensumme          1.012,00 EUR
                         zzgl. 19% MwSt.          192,28 EUR
                         Gesamtbetrag           1.204,28 EUR

Zahlbar innerhalb von 14 Tagen ohne Abzug.
Bankverbindung: Stadtsparkasse München  IBAN: DE89 3704 0044 0532 0130 00  BIC: COBADEFF
USt-IdNr.: DE123456789   Steuernummer: 143/123/45678
Tel.: 089 1234567  info@muster-soehne.de`;

const french = `
Au Pain Doré SARL                                 FACTURE
12 rue de la Paix
75002 Paris
France
N° TVA : FR12345678901                            Facturé à :
                                                  Boutique Martin
Facture n° : F-2024-118                           8 avenue Foch
Date de facture : 12/03/2024                      69006 Lyon
Date d'échéance : 11/04/2024

Désignation            Qté     Prix unitaire HT    Montant HT
Farine                 10      25,00 €             250,00 €
Total HT                                           1 284,38 €
TVA 20 %                                             256,88 €
Total TTC                                          1 541,26 €
Net à payer                                        1 541,26 €`;

const spanish = `
Ferretería López S.L.
Calle Mayor 12
28013 Madrid
CIF: B12345678

FACTURA                       Nº factura: 2024/00123
Fecha: 05/06/2024             Vencimiento: 05/07/2024

Cliente: Construcciones Ruiz S.A.
CIF: A87654321
Avenida del Puerto 3
46021 Valencia

Base imponible               1.000,00 €
IVA 21%                        210,00 €
Total factura                1.210,00 €`;

const italian = `
Officina Rossi S.r.l.
Via Roma 10
20121 Milano
P.IVA: IT01234567890

Spett.le
Bianchi S.p.A.
Corso Italia 5
10121 Torino

Fattura n. 45/2024 del 15/02/2024
Scadenza: 15/03/2024
Imponibile                     500,00
IVA 22%                        110,00
Totale documento EUR           610,00`;

const dutch = `
Bakkerij Jansen B.V.
Dorpsstraat 1
1234 AB Utrecht
BTW-nummer: NL123456789B01
KvK: 12345678

Factuur aan:
Cafe De Hoek
Marktplein 2
5611 AA Eindhoven

Factuurnummer   Factuurdatum   Vervaldatum
20240045        02-05-2024     16-05-2024

Subtotaal                      100,00
BTW 21%                         21,00
Totaal                       € 121,00
IBAN NL91 ABNA 0417 1643 00`;

const portuguese = `
Padaria Silva, Lda.
Rua Augusta 10
1100-053 Lisboa
NIF: 501234567

Fatura n.º FT 2024/77
Data: 10/01/2024
Vencimento: 09/02/2024
Cliente: Hotel Mar Azul
NIF: 509876543
Avenida Brasil 4
4150-151 Porto

Total ilíquido    200,00
IVA 23%            46,00
Total a pagar     246,00 EUR`;

const afrikaans = `
Boland Wynkelder (Edms) Bpk
Hoofstraat 12
Paarl
7646
BTW Nr: 4123456789

FAKTUUR
Faktuurnommer: 8812
Faktuurdatum: 2024-03-01
Verskuldig datum: 2024-03-31
Kliënt: Kaap Handelaars
Langstraat 5
Kaapstad
8001

Subtotaal        R 1 000,00
BTW 15%          R   150,00
Totaal           R 1 150,00`;

const american = `
ACME Tools Inc.
500 Industrial Blvd
Austin, TX 78701

Invoice #      Date          Due Date      Terms      P.O. Number
10045          03/04/2024    04/03/2024    Net 30     PO-7781

Bill To                     Ship To
Sunrise Bakery LLC          Sunrise Bakery
22 Main Street              Dock 4
Dallas, TX 75201            Dallas, TX 75202

Subtotal          $1,200.00
Discount 10%       -$120.00
Shipping            $25.00
Sales Tax (8.25%)   $89.10
Total            $1,194.10
Balance Due      $1,194.10
Make all checks payable to ACME Tools Inc.
Email: billing@acmetools.com  Phone: (512) 555-0199`;

const expected: [string, string, string, Record<string, unknown>][] = [
  [
    'German letter: sender in one line over the recipient, due date from the terms',
    'de',
    german,
    {
      invoice_number: '2024-0815',
      invoice_date: '2024-04-03',
      due_date: '2024-04-17',
      vendor_name: 'Muster & Söhne GmbH',
      vendor_address: 'Hauptstr. 5, 80331 München',
      vendor_tax_number: 'DE123456789',
      vendor_email: 'info@muster-soehne.de',
      vendor_phone: '089 1234567',
      customer_name: 'Beispiel AG',
      customer_address: 'Nebenweg 7, 10115 Berlin',
      customer_number: '4711',
      subtotal: 1012,
      tax: 192.28,
      tax_rate: 19,
      total: 1204.28,
      currency: 'EUR',
      iban: 'DE89370400440532013000',
      swift: 'COBADEFF',
      bank_name: 'Stadtsparkasse München',
    },
  ],
  [
    'French: spaces between thousands, recipient in the right column',
    'fr',
    french,
    {
      invoice_number: 'F-2024-118',
      invoice_date: '2024-03-12',
      due_date: '2024-04-11',
      vendor_name: 'Au Pain Doré SARL',
      vendor_address: '12 rue de la Paix, 75002 Paris',
      vendor_tax_number: 'FR12345678901',
      customer_name: 'Boutique Martin',
      customer_address: '8 avenue Foch, 69006 Lyon',
      subtotal: 1284.38,
      tax: 256.88,
      total: 1541.26,
      amount_due: 1541.26,
    },
  ],
  [
    'Spanish: both parties have a CIF',
    'es',
    spanish,
    {
      invoice_number: '2024/00123',
      invoice_date: '2024-06-05',
      due_date: '2024-07-05',
      vendor_name: 'Ferretería López S.L.',
      vendor_tax_number: 'B12345678',
      customer_name: 'Construcciones Ruiz S.A.',
      customer_tax_number: 'A87654321',
      customer_address: 'Avenida del Puerto 3, 46021 Valencia',
      total: 1210,
      tax_rate: 21,
    },
  ],
  [
    'Italian: number and date in the title',
    'it',
    italian,
    {
      invoice_number: '45/2024',
      invoice_date: '2024-02-15',
      due_date: '2024-03-15',
      vendor_name: 'Officina Rossi S.r.l.',
      customer_name: 'Bianchi S.p.A.',
      subtotal: 500,
      tax: 110,
      total: 610,
      currency: 'EUR',
    },
  ],
  [
    'Dutch: labels in a heading row, values under them',
    'nl',
    dutch,
    {
      invoice_number: '20240045',
      invoice_date: '2024-05-02',
      due_date: '2024-05-16',
      vendor_name: 'Bakkerij Jansen B.V.',
      vendor_tax_number: 'NL123456789B01',
      customer_name: 'Cafe De Hoek',
      total: 121,
      iban: 'NL91ABNA0417164300',
    },
  ],
  [
    'Portuguese: a series before the number',
    'pt',
    portuguese,
    {
      invoice_number: 'FT 2024/77',
      invoice_date: '2024-01-10',
      due_date: '2024-02-09',
      vendor_name: 'Padaria Silva, Lda.',
      vendor_address: 'Rua Augusta 10, 1100-053 Lisboa',
      customer_name: 'Hotel Mar Azul',
      customer_tax_number: '509876543',
      total: 246,
    },
  ],
  [
    'Afrikaans: rand, thousands with a space, a postal code on a line of its own',
    'af',
    afrikaans,
    {
      invoice_number: '8812',
      invoice_date: '2024-03-01',
      due_date: '2024-03-31',
      vendor_address: 'Hoofstraat 12, Paarl, 7646',
      customer_name: 'Kaap Handelaars',
      subtotal: 1000,
      tax: 150,
      tax_rate: 15,
      total: 1150,
      currency: 'ZAR',
    },
  ],
  [
    'American: month first, which the due date proves; discount and shipping add up',
    'en',
    american,
    {
      invoice_number: '10045',
      invoice_date: '2024-03-04',
      due_date: '2024-04-03',
      payment_terms: 'Net 30',
      purchase_order_number: 'PO-7781',
      vendor_name: 'ACME Tools Inc.',
      vendor_email: 'billing@acmetools.com',
      customer_name: 'Sunrise Bakery LLC',
      customer_address: '22 Main Street, Dallas, TX 75201',
      subtotal: 1200,
      discount: 120,
      shipping: 25,
      tax: 89.1,
      total: 1194.1,
      amount_due: 1194.1,
      currency: 'USD',
    },
  ],
];

describe('invoices in the languages that are read', () => {
  test.each(expected)('%s', (_, language, text, fields) => {
    expect(valuesOf('invoice', text, language)).toMatchObject(fields);
  });

  test('a French invoice loses nothing when the reader saw no accents', () => {
    const plain = french.normalize('NFD').replace(/\p{M}/gu, '');
    expect(valuesOf('invoice', plain, 'fr')).toMatchObject({
      invoice_number: 'F-2024-118',
      due_date: '2024-04-11',
      customer_name: 'Boutique Martin',
      total: 1541.26,
    });
  });
});
