import { describe, expect, test } from '@jest/globals';
import { extractUncalibrated } from '../../../documents/extract/extract.ts';
import { typedPage } from '../support.ts';

/** The values that a typed page gives. */
function read(type: string, lines: string[]): Record<string, unknown> {
  const { fields } = extractUncalibrated([typedPage(lines, { width: 1300 })], { document_type: type });
  return Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, field.value]));
}

describe('proofs of address', () => {
  test('a heading "Proof of Residence" is no sentence about where somebody lives', () => {
    const found = read('proof_of_address', [
      'Lakeside Properties LLC',
      'Re: Proof of Residence',
      'Please accept this letter as confirmation that Peter Lindqvist has resided at',
      '301 Birch Street, Apt 4B, Madison, WI 53703 since August 1, 2021.',
    ]);
    expect(found).toMatchObject({ name: 'Peter Lindqvist', address: '301 Birch Street, Apt 4B, Madison, WI 53703' });
  });

  test('a register prints the family name and the given names apart', () => {
    const found = read('proof_of_address', [
      'Stadt Leipzig',
      'Meldebescheinigung',
      'Familienname:    Brandt',
      'Vornamen:        Julia',
      'Anschrift:       Rosenweg 3, 04109 Leipzig',
      'Einzugsdatum:    01.05.2020',
      'Leipzig, den 07.08.2024',
    ]);
    expect(found).toMatchObject({ name: 'Julia Brandt', date: '2024-08-07' });
  });
});

describe('contracts', () => {
  test('(Pty) and INC belong to the name of a company', () => {
    const found = read('contract', [
      'CONTRACT OF EMPLOYMENT',
      'entered into between',
      'Karoo Foods (Pty) Ltd',
      'Registration number 2009/118823/07',
      '(hereinafter referred to as "the Employer")',
      'and',
      'Sibusiso Mthembu',
      '(hereinafter referred to as "the Employee")',
      '1.1 Employment commences on 1 February 2024.',
      'Signed at Cape Town on this 22nd day of January 2024.',
    ]);
    expect(found).toMatchObject({
      parties: ['Karoo Foods (Pty) Ltd', 'Sibusiso Mthembu'],
      effective_date: '2024-02-01',
    });
  });

  test('numbered parties without "between"', () => {
    const found = read('contract', [
      'Consultancy Agreement',
      'PARTIES',
      '(1) BRIGHTWATER ANALYTICS LIMITED, a company incorporated in England and Wales',
      '(the "Company"); and',
      '(2) HELEN MARSH of 17 Canal Walk, Oxford (the "Consultant").',
    ]);
    expect(found['parties']).toEqual(['BRIGHTWATER ANALYTICS LIMITED', 'HELEN MARSH']);
  });

  test('French "à compter du" and Dutch law', () => {
    expect(
      read('contract', ['CONTRAT DE TRAVAIL', 'La salariée est engagée à compter du 2 septembre 2024.'])[
        'effective_date'
      ],
    ).toBe('2024-09-02');
    expect(
      read('contract', ['HUUROVEREENKOMST', 'Op deze overeenkomst is Nederlands recht van toepassing.'])[
        'governing_law'
      ],
    ).toBe('Netherlands');
  });
});

describe('receipts', () => {
  test('the town under the street with four digits belongs to the address', () => {
    const found = read('receipt', [
      'RIDGEVIEW SERVICE STATION CC',
      '88 VOORTREKKER ROAD',
      'PAROW 7500',
      'TEL 021 930 4417',
      'UNLEADED 95     850.00',
      'TOTAL           850.00',
    ]);
    expect(found['merchant_address']).toBe('88 VOORTREKKER ROAD, PAROW 7500');
  });

  test('a registration number on a line of its own is no name', () => {
    const found = read('receipt', [
      'RESTORAN NASI KANDAR PELITA',
      'JAYA SDN BHD',
      '(Co. Reg: 781234-K)',
      'NO. 12, JALAN TUN RAZAK,',
      '50400 KUALA LUMPUR',
      'TOTAL     32.85',
    ]);
    expect(found['merchant_name']).toBe('RESTORAN NASI KANDAR PELITA JAYA SDN BHD');
  });

  test('tax numbers of India, Poland and the Emirates', () => {
    expect(
      read('receipt', ['SRI BALAJI MEDICALS', 'GSTIN: 29AABCS1429B1ZB', 'TOTAL 486.00'])['merchant_tax_number'],
    ).toBe('29AABCS1429B1ZB');
    expect(read('receipt', ['AL NOOR LLC', 'TRN: 100234567800003', 'TOTAL 126.00'])['merchant_tax_number']).toBe(
      '100234567800003',
    );
  });
});
