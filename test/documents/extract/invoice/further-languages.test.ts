import { describe, expect, test } from '@jest/globals';
import { classifyPages } from '../../../../documents/classify/classify.ts';
import { typedPages, valuesOf } from './read.ts';

const polish = `
                                        Poznań, 14.03.2024
        Faktura VAT nr FV/0412/03/2024
Data wystawienia: 14.03.2024
Termin płatności: 28.03.2024

Sprzedawca                              Nabywca
Hurtownia Skryba Sp. z o.o.             Biuro Rachunkowe Nowak
ul. Składowa 12                         ul. Głogowska 31/33
61-897 Poznań                           60-702 Poznań
NIP: 7781454968                         NIP: 7792031418

Lp  Nazwa towaru     Ilość   Cena netto   Wart. netto   VAT   Brutto
1   Papier ksero     15      18,50        277,50        23%   341,33

Razem netto          277,50
Kwota VAT             63,83
Do zapłaty: 341,33 PLN`;

const czech = `
FAKTURA – daňový doklad č. 20240078

Dodavatel:                              Odběratel:
Truhlářství Dvořák s.r.o.               Penzion U Zámku
Brněnská 1146/30                        Zámecká 5
591 01 Žďár nad Sázavou                 588 56 Telč
DIČ: CZ27745511

Datum vystavení: 06.05.2024
Datum splatnosti: 20.05.2024

Základ daně 21 %     48 200,00
DPH 21 %             10 122,00
Celkem k úhradě      58 322,00 Kč`;

const hungarian = `
SZÁMLA
Sorszám: DN-2024/00312

Eladó:                                  Vevő:
Duna Nyomda Kft.                        Zöld Liget Óvoda
1134 Budapest, Váci út 45.              2120 Dunakeszi, Fő út 3.
Adószám: 12345676-2-41

Számla kelte: 2024.04.02.
Fizetési határidő: 2024.04.10.

Nettó összesen:      84 000,00 Ft
ÁFA összesen:        22 680,00 Ft
Fizetendő:          106 680,00 Ft`;

const swedish = `
Norrlands Rörteknik AB                  Faktura
Verkstadsgatan 8
931 57 Skellefteå
Momsreg.nr SE556012345601

Faktureringsadress:                     Fakturanr 40213
Brf Björkbacken                         Fakturadatum 2024-02-12
Storgatan 4                             Förfallodatum 2024-03-13
931 22 Skellefteå

Exkl. moms            7 640,00
Moms 25%              1 910,00
Att betala SEK        9 550,00`;

const expected: [string, string, Record<string, unknown>][] = [
  [
    'Polish',
    polish,
    {
      invoice_number: 'FV/0412/03/2024',
      invoice_date: '2024-03-14',
      due_date: '2024-03-28',
      vendor_name: 'Hurtownia Skryba Sp. z o.o.',
      vendor_address: 'ul. Składowa 12, 61-897 Poznań',
      vendor_tax_number: '7781454968',
      customer_name: 'Biuro Rachunkowe Nowak',
      subtotal: 277.5,
      tax: 63.83,
      total: 341.33,
      currency: 'PLN',
    },
  ],
  [
    'Czech: a town that begins like a telephone, a street that begins like a registration',
    czech,
    {
      invoice_number: '20240078',
      invoice_date: '2024-05-06',
      due_date: '2024-05-20',
      vendor_name: 'Truhlářství Dvořák s.r.o.',
      vendor_address: 'Brněnská 1146/30, 591 01 Žďár nad Sázavou',
      vendor_tax_number: 'CZ27745511',
      customer_name: 'Penzion U Zámku',
      customer_address: 'Zámecká 5, 588 56 Telč',
      subtotal: 48200,
      tax: 10122,
      total: 58322,
      currency: 'CZK',
    },
  ],
  [
    'Hungarian: town before street, forints',
    hungarian,
    {
      invoice_number: 'DN-2024/00312',
      invoice_date: '2024-04-02',
      due_date: '2024-04-10',
      vendor_name: 'Duna Nyomda Kft.',
      vendor_tax_number: '12345676-2-41',
      customer_name: 'Zöld Liget Óvoda',
      subtotal: 84000,
      tax: 22680,
      total: 106680,
      currency: 'HUF',
    },
  ],
  [
    'Swedish',
    swedish,
    {
      invoice_number: '40213',
      invoice_date: '2024-02-12',
      due_date: '2024-03-13',
      vendor_name: 'Norrlands Rörteknik AB',
      vendor_tax_number: 'SE556012345601',
      customer_name: 'Brf Björkbacken',
      subtotal: 7640,
      tax: 1910,
      total: 9550,
      currency: 'SEK',
    },
  ],
];

describe('invoices in further languages', () => {
  test.each(expected)('%s', (_, text, fields) => {
    expect(valuesOf('invoice', text)).toMatchObject(fields);
  });

  test.each(expected)('%s: it is an invoice', (_, text) => {
    expect(classifyPages(typedPages(text)).document_type).toBe('invoice');
  });
});
