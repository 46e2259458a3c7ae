import { describe, expect, test } from '@jest/globals';
import { extractProofOfAddress } from '../../../../documents/extract/proof-of-address/proof-of-address.ts';
import { contextOf, valuesOf } from '../support.ts';

const read = (...lines: string[]): Record<string, unknown> => valuesOf(extractProofOfAddress(contextOf(lines)));

describe('proof of address', () => {
  test("a bank's letter: the address window confirms the sentence", () => {
    const fields = extractProofOfAddress(
      contextOf([
        'Northern Union Bank plc',
        '4 Market Square, Leeds LS1 6AB',
        '',
        'Date: 14 March 2024',
        '',
        'Mrs Jane Miller',
        '12 Rose Lane',
        'York YO1 7HH',
        '',
        'To whom it may concern',
        'We confirm that Mrs Jane Miller holds account number 12345678 with us and',
        'resides at 12 Rose Lane, York YO1 7HH. She has been a customer since 2011.',
      ]),
    );
    expect(valuesOf(fields)).toEqual({
      name: 'Jane Miller',
      address: '12 Rose Lane, York YO1 7HH',
      date: '2024-03-14',
      issuer: 'Northern Union Bank plc',
      account_number: '12345678',
    });
    expect(fields['name']!.confidence).toBeGreaterThan(0.9);
  });

  test('a municipal bill with labels: due dates and readings are not its date', () => {
    expect(
      read(
        'City of Cape Town',
        'Account number: 220 114 556',
        'Due date: 2024-05-30',
        'Statement date: 2024-05-02',
        'Account holder: Thabo Nkosi',
        'Physical address: 7 Protea Avenue, Durbanville 7550',
        'Previous reading 2024-04-01    10,233',
      ),
    ).toMatchObject({
      name: 'Thabo Nkosi',
      address: '7 Protea Avenue, Durbanville 7550',
      date: '2024-05-02',
      issuer: 'City of Cape Town',
      account_number: '220 114 556',
    });
  });

  test('a landlord confirms in a letter to somebody else', () => {
    expect(
      read(
        'Harbour Properties Ltd',
        '',
        '3 June 2023',
        '',
        'Dear Sir or Madam,',
        'This letter is to certify that Mr. Ravi Kumar has been residing at',
        '45 Ocean Road, Flat 2, Brighton BN1 4AA since 1 May 2020 as our tenant.',
      ),
    ).toMatchObject({
      name: 'Ravi Kumar',
      address: '45 Ocean Road, Flat 2, Brighton BN1 4AA',
      date: '2023-06-03',
      issuer: 'Harbour Properties Ltd',
    });
  });

  test('German registration certificate', () => {
    expect(
      read(
        'Stadt Musterhausen',
        'Bürgeramt',
        'Meldebescheinigung',
        'Datum: 02.04.2024',
        'Name: Erika Mustermann',
        'Anschrift: Heidestraße 17, 51147 Köln',
      ),
    ).toMatchObject({
      name: 'Erika Mustermann',
      address: 'Heidestraße 17, 51147 Köln',
      date: '2024-04-02',
      issuer: 'Stadt Musterhausen',
    });
  });

  test('French attestation', () => {
    expect(
      read(
        'ÉNERGIE DU SUD SA',
        'N° client : 40 118 220',
        'Date : 12/01/2024',
        'Titulaire : Claire Dubois',
        'Adresse : 8 rue des Lilas, 69003 Lyon',
      ),
    ).toMatchObject({
      name: 'Claire Dubois',
      address: '8 rue des Lilas, 69003 Lyon',
      date: '2024-01-12',
      account_number: '40 118 220',
    });
  });

  test('nothing to read gives no fields', () => {
    expect(read()).toEqual({});
    expect(read('....', '----')).toEqual({});
  });
});
