import { describe, expect, test } from '@jest/globals';
import { extractContract } from '../../../../documents/extract/contract/contract.ts';
import { jurisdictionIn } from '../../../../documents/extract/contract/jurisdictions.ts';
import { namesIn } from '../../../../documents/extract/contract/party-names.ts';
import { contextOf, valuesOf } from '../support.ts';

const read = (...lines: string[]): Record<string, unknown> => valuesOf(extractContract(contextOf(lines)));

describe('contract in English', () => {
  const values = read(
    'MUTUAL NON-DISCLOSURE AGREEMENT',
    'This Agreement is made as of the 2nd day of July, 2011 (the “Effective Date”) by and between',
    'Walden Tools, Inc., a Delaware corporation (“Walden”), and Option Works LLC, having its principal',
    'place of business at 1 High Street, Austin, Texas (the “Recipient”).',
    'WHEREAS, the parties wish to exchange information.',
    '1. Term. This Agreement shall remain in effect for a period of two (2) years. For three (3) years',
    'thereafter the Recipient shall not solicit any employee. Notices are due within thirty (30) days.',
    '2. Governing Law. This Agreement shall be governed by the laws of the State of West Virginia.',
    'WALDEN TOOLS, INC.',
    'By: /s/ Ann Lee',
  );

  test('title, date, term and law', () => {
    expect(values).toMatchObject({
      title: 'MUTUAL NON-DISCLOSURE AGREEMENT',
      effective_date: '2011-07-02',
      term: '2 years',
      governing_law: 'West Virginia',
    });
  });

  test('parties are names without roles, forms of law kept', () => {
    expect(values['parties']).toEqual(['Walden Tools, Inc.', 'Option Works LLC']);
  });

  test('every field has the box of its words', () => {
    const fields = extractContract(
      contextOf(['This Agreement is dated as of May 4, 2005 by and between Ada Ltd and Bob Jones.']),
    );
    expect(fields['effective_date']?.bbox).toMatchObject({ page: 1 });
    expect(fields['effective_date']!.bbox!.x).toBeGreaterThan(300);
  });
});

describe('clauses', () => {
  test('an anniversary is a term; a notice period is none', () => {
    expect(
      read(
        'CONFIDENTIALITY AGREEMENT',
        'The obligations under this Agreement shall terminate on the second anniversary of the date hereof.',
      )['term'],
    ).toBe('2 years');
    expect(read('SERVICE AGREEMENT', 'Either party may end it upon thirty (30) days notice.')['term']).toBeUndefined();
  });

  test('a letter binds from its acceptance, if that has its own date', () => {
    const letter = [
      'October 5, 2007',
      'Mr. Eugene Wright',
      '16 Carhart Court',
      'Dear Eugene:',
      'This is the Agreement between you and Neuromed Inc. (“Company”).',
      ...Array.from({ length: 20 }, () => 'You agree to keep all of the information confidential.'),
    ];
    expect(read(...letter)['effective_date']).toBe('2007-10-05');
    expect(read(...letter, 'ACCEPTED AND AGREED TO THIS 11 th DAY OF October, 2007.')).toMatchObject({
      effective_date: '2007-10-11',
      parties: ['Neuromed Inc.', 'Eugene Wright'],
    });
  });

  test('an end that is named is the expiry date', () => {
    expect(read('LEASE', 'This lease commences on 1 March 2024 and shall expire on 28 February 2026.')).toMatchObject({
      effective_date: '2024-03-01',
      expiry_date: '2026-02-28',
    });
  });

  test('the law of a state before that of its country; words without spaces as scans give them', () => {
    expect(read('governed by the laws of the United States of America, State of California')['governing_law']).toBe(
      'California',
    );
    expect(
      read('Agreement shalbe governedbyand construed with theinternal laws of theState ofWashingtonapplicable')[
        'governing_law'
      ],
    ).toBe('Washington');
    expect(jurisdictionIn('the laws of New South Wales')?.name).toBe('New South Wales');
    expect(jurisdictionIn('no place at all')).toBeUndefined();
  });

  test('two columns are read one after the other', () => {
    const left = [
      '1. The parties agree to the',
      'terms below, which are for',
      'their benefit and no other',
      'person may rely on them in',
      'any way whatsoever, unless',
      'both agree in writing that',
      'it is so. 2. This Agreement',
      'shall remain in effect for',
      'a period of three',
    ];
    const right = [
      'years from its date, unless',
      'ended before by either of',
      'them. 3. The agreement is',
      'governed by the laws of the',
      'State of Ohio, and no other',
      'law shall apply to it, nor',
      'to what follows from it at',
      'any time. 4. Each party is',
      'bound by what it says here.',
    ];
    const lines = left.map((text, index) => `${text.padEnd(40)}${right[index]!}`);
    expect(read('SERVICE AGREEMENT', ...lines)).toMatchObject({ term: '3 years', governing_law: 'Ohio' });
  });
});

describe('other languages', () => {
  test('German', () => {
    expect(
      read(
        'MIETVERTRAG',
        'zwischen der Muster Immobilien GmbH, Musterstraße 1, 10115 Berlin (nachfolgend „Vermieter“) und',
        'Herrn Max Beispiel, Hauptstr. 2, 10117 Berlin (nachfolgend „Mieter“) wird folgender Vertrag geschlossen.',
        'Das Mietverhältnis beginnt am 01.03.2024. Die Laufzeit beträgt zwei Jahre.',
        'Es gilt deutsches Recht.',
      ),
    ).toMatchObject({
      title: 'MIETVERTRAG',
      parties: ['Muster Immobilien GmbH', 'Max Beispiel'],
      effective_date: '2024-03-01',
      term: '2 years',
      governing_law: 'Germany',
    });
  });

  test('French', () => {
    expect(
      read(
        'CONTRAT DE PRESTATION DE SERVICES',
        'Entre les soussignés :',
        'La société Durand SARL, dont le siège est à Paris (ci-après « le Client »),',
        'et Monsieur Jean Petit, demeurant à Lyon (ci-après « le Prestataire »),',
        'il est convenu ce qui suit.',
        'Le contrat prend effet le 5 mai 2023, pour une durée de 3 ans.',
        'Il est soumis au droit français.',
      ),
    ).toMatchObject({
      parties: ['Durand SARL', 'Jean Petit'],
      effective_date: '2023-05-05',
      term: '3 years',
      governing_law: 'France',
    });
  });

  test('Spanish and Dutch', () => {
    expect(
      read(
        'CONTRATO',
        'El contrato entrará en vigor el 1 de junio de 2022, con una duración de dos años, y se regirá por la legislación española.',
      ),
    ).toMatchObject({ effective_date: '2022-06-01', term: '2 years', governing_law: 'Spain' });
    expect(
      read(
        'ARBEIDSOVEREENKOMST',
        'De overeenkomst is aangegaan voor de duur van 12 maanden met ingang van 1 maart 2024. Nederlands recht is toepasselijk; toepasselijk recht: Nederlands recht.',
      ),
    ).toMatchObject({ effective_date: '2024-03-01', term: '12 months', governing_law: 'Netherlands' });
  });
});

describe('names of parties', () => {
  test.each([
    ['and Cisco Systems, Inc., a California corporation', ['Cisco Systems, Inc.']],
    ['Xyratex Technology Limited, Langstone Road, Havant, Hampshire PO9 1SA', ['Xyratex Technology Limited']],
    ['AdventureWorks Cycles.a Washington corporation', ['AdventureWorks Cycles']],
    ['Mr. Howard Isaacs residing at 5 Elm Street', ['Howard Isaacs']],
    [
      'Silver Capital, Sterling Mining Company, Gold Mines, Inc. Shoshone Mining Company',
      ['Silver Capital', 'Sterling Mining Company', 'Gold Mines, Inc.', 'Shoshone Mining Company'],
    ],
    ['the parties', []],
    ['', []],
  ])('%s', (text, names) => {
    expect(namesIn(text)).toEqual(names);
  });

  test('long hostile text is read in less than two seconds', () => {
    const hostile = 'between and (“ ( ( and between of the State of and, and (“X”) and A and B and, (two (2) ';
    const context = contextOf(Array.from({ length: 400 }, () => hostile));
    const started = performance.now();
    extractContract(context);
    expect(performance.now() - started).toBeLessThan(2000);
  });
});
