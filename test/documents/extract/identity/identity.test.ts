import { describe, expect, test } from '@jest/globals';
import { extractIdentity } from '../../../../documents/extract/identity/identity.ts';
import {
  findNationalNumber,
  passesLuhn,
  readDriverNumber,
} from '../../../../documents/extract/identity/national-number.ts';
import { contextOf, valuesOf } from '../support.ts';

const read = (type: string, ...lines: string[]): Record<string, unknown> =>
  valuesOf(extractIdentity(contextOf(lines), type));

const ZONE = ['P<UTOERIKSSON<<ANNA<MARIA<<<<<<<<<<<<<<<<<<<', 'L898902C36UTO7408122F1204159ZE184226B<<<<<10'];

describe('passport', () => {
  test('the zone gives its fields, the page the issue date', () => {
    const values = read(
      'passport',
      'UTOPIA',
      'Surname / Nom',
      'ERIKSSON',
      'Date of issue / Date de délivrance',
      '16 APR / AVR 07',
      'Date of expiry / Date d’expiration',
      '15 APR / AVR 12',
      ...ZONE,
    );
    expect(values).toMatchObject({
      document_number: 'L898902C3',
      surname: 'ERIKSSON',
      given_names: 'ANNA MARIA',
      nationality: 'UTO',
      issuing_country: 'UTO',
      date_of_birth: '1974-08-12',
      sex: 'F',
      issue_date: '2007-04-16',
      expiry_date: '2012-04-15',
      personal_number: 'ZE184226B',
      mrz: ZONE.join('\n'),
    });
  });

  test('letters that the zone lost are taken from the page; an accent written in full is not lost', () => {
    const lost = read('passport', 'Surname', 'HAIRUDDIN', 'P<MYSHA1RDDIN<<AFIFAH<<<<<<<<<<<<<<<<<<<<<<<', ZONE[1]!);
    expect(lost['surname']).toBe('HAIRUDDIN');
    const full = read('passport', 'Surname', 'ÆVARSDÓTTIR', 'P<ISLAEVARSDOTTIR<<THURIDUR<<<<<<<<<<<<<<<<<', ZONE[1]!);
    expect(full['surname']).toBe('AEVARSDOTTIR');
  });

  test('fillers read as letters are told from the name by the print of the page', () => {
    const values = read(
      'passport',
      'Surname',
      'NOVAK',
      'Given names',
      'ANNA MARIA',
      'P<CZENOVAK<<ANNAXMARIAK<<<<<<<<<<<<<<<<<<<<<',
      ZONE[1]!,
    );
    expect(values).toMatchObject({ surname: 'NOVAK', given_names: 'ANNA MARIA' });
  });

  test('a verified zone ranks above an unverified one', () => {
    const sure = extractIdentity(contextOf([...ZONE]), 'passport');
    const unsure = extractIdentity(contextOf([ZONE[0]!, ZONE[1]!.replace('L898902C36', 'X777777777')]), 'passport');
    expect(sure['document_number']!.confidence).toBeGreaterThan(0.9);
    expect(unsure['document_number']!.confidence).toBeLessThan(0.7);
    expect(unsure['mrz']!.confidence).toBeLessThan(sure['mrz']!.confidence);
  });

  test('an unverified number gives way to the one that is printed beside its label', () => {
    const values = read('passport', 'Passport No. L898902C3', ZONE[0]!, ZONE[1]!.replace('L898902C36', 'X777777777'));
    expect(values['document_number']).toBe('L898902C3');
  });

  test('without a zone the labels are read, in several languages', () => {
    expect(
      read(
        'passport',
        'REISEPASS',
        'Name',
        'MUSTERMANN',
        'Vornamen',
        'ERIKA',
        'Geburtsdatum',
        '12.08.1964',
        'Gültig bis',
        '21.02.2018',
        'Pass-Nr. C01X00T47',
      ),
    ).toMatchObject({
      given_names: 'ERIKA',
      date_of_birth: '1964-08-12',
      expiry_date: '2018-02-21',
      document_number: 'C01X00T47',
    });
    expect(
      read(
        'passport',
        'PASAPORTE',
        'Apellidos',
        'GARCIA LOPEZ',
        'Nombre',
        'CARMEN',
        'Fecha de nacimiento',
        '01 01 1980',
        'Sexo',
        'F',
      ),
    ).toMatchObject({ surname: 'GARCIA LOPEZ', given_names: 'CARMEN', date_of_birth: '1980-01-01', sex: 'F' });
  });
});

describe('identity card', () => {
  test('a South African number tells birth date and sex, where its Luhn digit agrees', () => {
    expect(
      read(
        'id_document',
        'REPUBLIC OF SOUTH AFRICA',
        'NATIONAL IDENTITY CARD',
        'Surname',
        'MOKOENA',
        'Names',
        'Identity Number',
        '8001015009087',
      ),
    ).toMatchObject({
      document_number: '8001015009087',
      date_of_birth: '1980-01-01',
      sex: 'M',
      issuing_country: 'ZAF',
    });
    expect(findNationalNumber('8001015009088', undefined)).toBeUndefined();
    expect(findNationalNumber('8013015009087', undefined)).toBeUndefined();
  });

  test('Luhn', () => {
    expect(passesLuhn('79927398713')).toBe(true);
    expect(passesLuhn('79927398710')).toBe(false);
    expect(passesLuhn('')).toBe(false);
  });

  test('Spanish, Malaysian and Polish numbers check themselves', () => {
    expect(findNationalNumber('DNI 12345678Z', undefined)).toMatchObject({ value: '12345678Z', country: 'ESP' });
    expect(findNationalNumber('DNI 12345678A', undefined)).toBeUndefined();
    expect(findNationalNumber('X1234567L', undefined)).toMatchObject({ country: 'ESP' });
    expect(findNationalNumber('751102-07-6384', undefined)).toMatchObject({
      date_of_birth: '1975-11-02',
      sex: 'F',
      country: 'MYS',
    });
    expect(findNationalNumber('44051401359', 'POL')).toMatchObject({ date_of_birth: '1944-05-14', sex: 'M' });
  });

  test('a resident card without a zone on its face', () => {
    expect(
      read(
        'id_document',
        'UNITED STATES OF AMERICA    PERMANENT RESIDENT',
        'Surname',
        'DOE',
        'Given Name',
        'JANE',
        'USCIS#          Category',
        '000-765-432     IR1',
        'Country of Birth',
        'Utopia',
        'Date of Birth   Sex',
        '30 JUN 1991     F',
        'Card Expires:   06/30/31',
        'Resident Since: 06/30/21',
      ),
    ).toMatchObject({
      surname: 'DOE',
      given_names: 'JANE',
      document_number: '000-765-432',
      date_of_birth: '1991-06-30',
      sex: 'F',
      expiry_date: '2031-06-30',
    });
  });

  test('a validity printed as a range gives issue and expiry', () => {
    expect(
      read(
        'id_document',
        'CARTE DE IDENTITATE',
        'Nume/Nom/Last name',
        'POPESCU',
        'Prenume/Prenom/First name',
        'ION',
        'Valabilitate/Validite/Validity',
        '09.05.03-09.05.2013',
      ),
    ).toMatchObject({ surname: 'POPESCU', given_names: 'ION', issue_date: '2003-05-09', expiry_date: '2013-05-09' });
  });

  test('nothing to read gives no fields', () => {
    expect(read('id_document')).toEqual({});
    expect(read('id_document', '<<<', '???', '0000')).toEqual({});
  });
});

describe('driving licence', () => {
  test('numbered fields of North America; months come first', () => {
    expect(
      read(
        'drivers_license',
        'WASHINGTON    DRIVER LICENSE',
        '4d LIC#WDLABCD456DG    9 CLASS B    DONOR',
        '1 TALBOT',
        '2 LIAM R.',
        '3 DOB 01/06/1958    4a ISS 01/06/2015',
        '8 123 STREET ADDRESS',
        '  YOUR CITY WA 99999-1234',
        '15 SEX M    18 EYES BLU',
        '12 RESTRICTIONS    4b EXP 08/12/2020',
      ),
    ).toMatchObject({
      document_number: 'WDLABCD456DG',
      surname: 'TALBOT',
      given_names: 'LIAM R.',
      date_of_birth: '1958-01-06',
      issue_date: '2015-01-06',
      expiry_date: '2020-08-12',
      sex: 'M',
      address: '123 STREET ADDRESS YOUR CITY WA 99999-1234',
    });
  });

  test('numbered fields of Europe: 5 is the number', () => {
    expect(
      read(
        'drivers_license',
        'FÜHRERSCHEIN    BUNDESREPUBLIK DEUTSCHLAND',
        '1. MUSTERMANN',
        '2. ERIKA',
        '3. 12.08.64 BERLIN',
        '4a. 01.02.13    4c. LANDRATSAMT',
        '4b. 31.01.28',
        '5. B072RRE2I55',
      ),
    ).toMatchObject({
      surname: 'MUSTERMANN',
      given_names: 'ERIKA',
      date_of_birth: '1964-08-12',
      issue_date: '2013-02-01',
      expiry_date: '2028-01-31',
      document_number: 'B072RRE2I55',
    });
  });

  test('labels without numbers, the name without a label', () => {
    expect(
      read(
        'drivers_license',
        'WEST VIRGINIA',
        "Driver's License",
        'CHRIS SMITH',
        '12 Main Street',
        'Charleston, WV 25301',
        'LIC #: 034568    SEX: M',
        'DOB: 03/23/1988',
        'EXP: 03/23/2026',
        'ISS: 03/23/2019',
      ),
    ).toMatchObject({
      surname: 'SMITH',
      given_names: 'CHRIS',
      document_number: '034568',
      sex: 'M',
      date_of_birth: '1988-03-23',
      issue_date: '2019-03-23',
      expiry_date: '2026-03-23',
    });
  });

  test('a British number tells birth date and sex', () => {
    expect(readDriverNumber('5. MORGA657054SM9IJ')).toEqual({
      value: 'MORGA657054SM9IJ',
      date_of_birth: '1964-07-05',
      sex: 'F',
    });
    expect(readDriverNumber('MORGA699994SM9IJ')).toBeUndefined();
  });
});
