import { describe, expect, test } from '@jest/globals';
import { fieldsOf, valuesOf } from './read.ts';

describe('who sells and who buys', () => {
  test('the company that the invoice is for is never the vendor, though it stands first and has a legal form', () => {
    const text = `
Bill to:
Reader Holdings Ltd
1 High Street
London SW1A 1AA
VAT No: GB999888777
accounts@reader-holdings.co.uk

Pinewood Joinery                       INVOICE
3 Saw Mill Lane
Bristol BS1 6QF
VAT No: GB123456789
hello@pinewoodjoinery.co.uk

Invoice No: 77
Total £20.00`;
    expect(valuesOf('invoice', text)).toMatchObject({
      vendor_name: 'Pinewood Joinery',
      vendor_address: '3 Saw Mill Lane, Bristol BS1 6QF',
      vendor_tax_number: 'GB123456789',
      vendor_email: 'hello@pinewoodjoinery.co.uk',
      customer_name: 'Reader Holdings Ltd',
      customer_tax_number: 'GB999888777',
      customer_email: 'accounts@reader-holdings.co.uk',
    });
  });

  test('bill to goes before ship to and a contact above the street is left out', () => {
    const text = `
Northwind Paper Co.
7 Station Road
Bristol BS1 6QF

Ship To:                     Bill To:
Acorn Digital Ltd            Acorn Digital Ltd
Warehouse 4                  Accounts Payable
9 Dock Street                33 King William Street
Leeds LS1 4AB                London EC4R 9AT

Invoice number INV-1
Total  £10.00`;
    expect(valuesOf('invoice', text)).toMatchObject({
      customer_name: 'Acorn Digital Ltd',
      customer_address: '33 King William Street, London EC4R 9AT',
    });
  });

  test('a logo that was not read: the name is what payments are made out to', () => {
    const text = `
                                       INVOICE

Bill to
Microsoft Ltd
2 Kingdom Street
London W2 6BD

Total  £180.00

Please make all cheques payable to Contoso Limited`;
    expect(valuesOf('invoice', text)).toMatchObject({ vendor_name: 'Contoso Limited', customer_name: 'Microsoft Ltd' });
  });

  test('a slogan beside the name is not the name, and the address is where the name stands again', () => {
    const text = `
All you need for the office
NEXGEN

Bill to
AlphaTech Solutions
22 Regent Street
London SW1Y 4PD

Total  £10.00

Remit payment to
NEXGEN
Unit 4, Innovation Drive
Milton Keynes MK9 1FH
info@nexgen.co.uk`;
    expect(valuesOf('invoice', text)).toMatchObject({
      vendor_name: 'NEXGEN',
      vendor_address: 'Unit 4, Innovation Drive, Milton Keynes MK9 1FH',
      vendor_email: 'info@nexgen.co.uk',
    });
  });

  test('form with labels: name and address are the values beside them; the country is no part of the address', () => {
    const text = `
Verkäufer
Nummer:             22 00 0 001
Name:               Test Company
Anschrift:          Teststr. 4
                    DE 55232 Teststadt
Telefon:            +49123456789

Käufer/Leistungsempfänger
Name:               Franz Müller
Anschrift:          Musterstr. 12
                    DE 55232 Musterstadt`;
    expect(valuesOf('invoice', text, 'de')).toMatchObject({
      vendor_name: 'Test Company',
      vendor_address: 'Teststr. 4, 55232 Teststadt',
      customer_name: 'Franz Müller',
      customer_address: 'Musterstr. 12, 55232 Musterstadt',
    });
  });

  test('nobody is labelled: who has a tax number and an account writes, the other address receives', () => {
    const text = `
Pino Bluebird                                      Coolblue B.V.
Sessamestreet 32                                   Weena 664
1025 RX Amsterdam                                  3012 CN Rotterdam
                                                   Nederland
                                                   www.coolblue.nl
                                                   BTW NL810433941B01

Factuurnummer: 993548900
Totaal  € 717,97`;
    expect(valuesOf('invoice', text, 'nl')).toMatchObject({
      vendor_name: 'Coolblue B.V.',
      vendor_address: 'Weena 664, 3012 CN Rotterdam',
      customer_name: 'Pino Bluebird',
      customer_address: 'Sessamestreet 32, 1025 RX Amsterdam',
    });
  });

  test('a name over two lines is read whole, and the recipient of a letter begins at the salutation', () => {
    const text = `
MVM Musterhafter
Versicherungsverein Musterstadt a.G.

Herrn
Max Mustermann
Musterstr. 11
12346 Bad Musterhausen

Beitragsrechnung                    24. Januar 2014`;
    expect(valuesOf('invoice', text, 'de')).toMatchObject({
      vendor_name: 'MVM Musterhafter Versicherungsverein Musterstadt a.G.',
      customer_name: 'Max Mustermann',
      customer_address: 'Musterstr. 11, 12346 Bad Musterhausen',
    });
  });

  test('the sender in one line over the recipient is told from it without any mark between name and street', () => {
    const text = `
Bei Spiel GmbH Ecke 12 12345 Stadthausen

Theodor Est
Bahnstr. 42
88802 Spielkreis




Rechnung RE-20140519/384            19.05.2014`;
    expect(valuesOf('invoice', text, 'de')).toMatchObject({
      vendor_name: 'Bei Spiel GmbH',
      vendor_address: 'Ecke 12 12345 Stadthausen',
      customer_name: 'Theodor Est',
      customer_address: 'Bahnstr. 42, 88802 Spielkreis',
    });
  });

  test('a labelled party is surer than a guessed one', () => {
    const labelled = fieldsOf('invoice', 'Seller:\nOak & Co Ltd\n1 High Street\nLeeds LS1 4AB\n\nTotal 10.00');
    const guessed = fieldsOf('invoice', 'thanks for coming\nOak\n\nTotal 10.00');
    expect(labelled['vendor_name']!.confidence).toBeGreaterThan(0.8);
    expect(guessed['vendor_name']?.confidence ?? 0).toBeLessThan(labelled['vendor_name']!.confidence);
  });

  test('the name has the box of its words', () => {
    const { vendor_name: name } = fieldsOf('invoice', 'Oak & Co Ltd\n1 High Street\nLeeds LS1 4AB\n\nTotal 10.00');
    expect(name).toMatchObject({ value: 'Oak & Co Ltd', bbox: { page: 1, x: 0, y: 40, width: 144, height: 20 } });
  });
});

test.each(['', '....', '1 2 3', 'Bill to:', 'Total', 'a\n'.repeat(500), ':'.repeat(400)])(
  'finds nothing in %j, and does not fail',
  (text) => {
    expect(valuesOf('invoice', text)).not.toHaveProperty('total');
  },
);
