import { describe, expect, test } from '@jest/globals';
import { extractUncalibrated } from '../../../documents/extract/extract.ts';
import { typedPage } from '../support.ts';

/** The values that a typed page gives. */
function read(type: string, lines: string[]): Record<string, unknown> {
  const { fields } = extractUncalibrated([typedPage(lines, { width: 1100 })], { document_type: type });
  return Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, field.value]));
}

describe('identity cards without a machine-readable zone', () => {
  test('a number beside the title of the card needs no label', () => {
    const found = read('id_document', [
      'REPUBBLICA ITALIANA',
      'CARTA DI IDENTITA / IDENTITY CARD          CA00012AA',
      'COGNOME / SURNAME',
      'ROSSI',
      'NOME / NAME',
      'BIANCA',
    ]);
    expect(found).toMatchObject({ document_number: 'CA00012AA', surname: 'ROSSI', given_names: 'BIANCA' });
  });

  test('two surnames stand under each other', () => {
    const found = read('id_document', [
      'APELLIDOS',
      'GARCIA',
      'LOPEZ',
      'NOMBRE',
      'CARMEN',
      'SEXO      NACIONALIDAD',
      'F         ESP',
    ]);
    expect(found).toMatchObject({ surname: 'GARCIA LOPEZ', given_names: 'CARMEN' });
  });

  test("the person's number counts before the serial number of the plastic", () => {
    const found = read('id_document', [
      'SERIAL NUMBER: 233411890      ID NUMBER: 28841190',
      'FULL NAMES',
      'GRACE WANJIKU KAMAU',
      'SEX',
      'FEMALE',
    ]);
    expect(found).toMatchObject({ document_number: '28841190', full_name: 'GRACE WANJIKU KAMAU', sex: 'F' });
  });

  test("an Indian card's name, sex and number have no labels", () => {
    const found = read('id_document', [
      'Government of India',
      'Priya Raghavan',
      'DOB: 03/11/1994',
      'Female',
      '2341 8890 1123',
    ]);
    expect(found).toMatchObject({
      document_number: '2341 8890 1123',
      full_name: 'Priya Raghavan',
      sex: 'F',
      date_of_birth: '1994-11-03',
    });
  });

  test('under a label in two languages the column starts with the cell', () => {
    const found = read('id_document', ['SEXE / Sex    DATE DE NAISS. / Date of birth', 'F             13 07 1990']);
    expect(found).toMatchObject({ date_of_birth: '1990-07-13', sex: 'F' });
  });

  test('a Belgian register number tells birth and sex and is not the number of the card', () => {
    const found = read('id_document', [
      'Naam / Name',
      'PEETERS',
      'Rijksregisternr.',
      '85.07.30-033.28',
      'Kaartnr. / Card N°',
      '591-1234567-89',
    ]);
    expect(found).toMatchObject({
      document_number: '591-1234567-89',
      personal_number: '85.07.30-033.28',
      date_of_birth: '1985-07-30',
      sex: 'M',
    });
  });
});

describe('driving licences', () => {
  test("the licence's number counts before the card's and the person's", () => {
    const found = read('drivers_license', [
      'DLAMINI',
      'Initials: NT',
      'ID No: 02/8503140123084',
      'Licence No: 40280005W1XS',
      'Valid: 22/08/2022 - 21/08/2027',
    ]);
    expect(found).toMatchObject({
      document_number: '40280005W1XS',
      surname: 'DLAMINI',
      given_names: 'NT',
      issue_date: '2022-08-22',
      expiry_date: '2027-08-21',
    });
  });

  test('a title is no given name, and the address ends at its postcode', () => {
    const found = read('drivers_license', [
      '1. MORGAN',
      '2. MRS SARAH',
      '3. 11.03.1976',
      '4b. 18.01.2033',
      '8. 122 BURNS CRESCENT, EDINBURGH,',
      '   EH1 9GP',
      '9. AM/A/B1/B',
    ]);
    expect(found).toMatchObject({
      surname: 'MORGAN',
      given_names: 'SARAH',
      address: '122 BURNS CRESCENT, EDINBURGH, EH1 9GP',
    });
  });
});
