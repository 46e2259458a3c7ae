import { describe, expect, test } from '@jest/globals';
import { layoutLines } from '../../../documents/layout/lines.ts';
import { checkDigit } from '../../../documents/mrz/check-digit.ts';
import { birthDate, expiryDate } from '../../../documents/mrz/dates.ts';
import { readMrz } from '../../../documents/mrz/mrz.ts';
import type { Mrz } from '../../../documents/mrz/types.ts';
import { typedPage } from '../support.ts';

const read = (...lines: string[]): Mrz | undefined => readMrz(layoutLines([typedPage(lines, { width: 1000 })]));

const values = (mrz: Mrz | undefined): Record<string, unknown> => ({
  format: mrz?.format,
  number: mrz?.document_number?.value,
  surname: mrz?.surname?.value,
  given: mrz?.given_names?.value,
  nationality: mrz?.nationality?.value,
  birth: mrz?.date_of_birth?.value,
  sex: mrz?.sex?.value,
  expiry: mrz?.expiry_date?.value,
});

/** The specimens of ICAO Doc 9303: Anna Maria Eriksson of Utopia. */
const anna = {
  surname: 'ERIKSSON',
  given: 'ANNA MARIA',
  nationality: 'UTO',
  birth: '1974-08-12',
  sex: 'F',
  expiry: '2012-04-15',
};
const TD3 = ['P<UTOERIKSSON<<ANNA<MARIA<<<<<<<<<<<<<<<<<<<', 'L898902C36UTO7408122F1204159ZE184226B<<<<<10'];
const TD2 = ['I<UTOERIKSSON<<ANNA<MARIA<<<<<<<<<<<', 'D231458907UTO7408122F1204159<<<<<<<6'];
const TD1 = ['I<UTOD231458907<<<<<<<<<<<<<<<', '7408122F1204159UTO<<<<<<<<<<<6', 'ERIKSSON<<ANNA<MARIA<<<<<<<<<<'];
const MRV_A = ['V<UTOERIKSSON<<ANNA<MARIA<<<<<<<<<<<<<<<<<<<', 'L8988901C4XXX4009078F96121096ZE184226B<<<<<<'];
const MRV_B = ['V<UTOERIKSSON<<ANNA<MARIA<<<<<<<<<<<', 'L8988901C4XXX4009078F9612109<<<<<<<<'];

test('check digits weigh 7, 3, 1 (ICAO Doc 9303 part 3)', () => {
  expect(checkDigit('520727')).toBe('3');
  expect(checkDigit('AB2134<<<')).toBe('5');
  expect(checkDigit('')).toBe('0');
});

describe('the specimens of ICAO Doc 9303', () => {
  test('TD3, a passport', () => {
    const mrz = read('UTOPIA', 'Surname / Nom', ...TD3);
    expect(values(mrz)).toEqual({ ...anna, format: 'TD3', number: 'L898902C3' });
    expect(mrz).toMatchObject({ lines: TD3, checks: { passed: 4, total: 4 }, personal_number: { value: 'ZE184226B' } });
    expect(mrz?.document_number?.verified).toBe(true);
  });

  test('TD2, a card of two lines', () => {
    const mrz = read(...TD2);
    expect(values(mrz)).toEqual({ ...anna, format: 'TD2', number: 'D23145890' });
    expect(mrz?.lines).toEqual(TD2);
    expect(mrz?.checks).toEqual({ passed: 4, total: 4 });
  });

  test('TD1, a card of three lines', () => {
    const mrz = read(...TD1);
    expect(values(mrz)).toEqual({ ...anna, format: 'TD1', number: 'D23145890' });
    expect(mrz?.lines).toEqual(TD1);
    expect(mrz?.checks).toEqual({ passed: 4, total: 4 });
  });

  test('MRV-A and MRV-B, visas, which have no composite check digit', () => {
    const expected = { number: 'L8988901C', nationality: 'XXX', birth: '1940-09-07', sex: 'F', expiry: '1996-12-10' };
    expect(values(read(...MRV_A))).toMatchObject({ ...expected, format: 'MRV-A' });
    expect(values(read(...MRV_B))).toMatchObject({ ...expected, format: 'MRV-B' });
    expect(read(...MRV_B)?.checks).toEqual({ passed: 3, total: 3 });
  });

  test('a number longer than nine characters goes on in the optional data of TD1', () => {
    const digit = checkDigit('D23145890734');
    const mrz = read(`I<UTOD23145890<734${digit}<<<<<<<<<<<`, '7408122F1204159UTO<<<<<<<<<<<0', TD1[2]!);
    expect(mrz?.document_number).toMatchObject({ value: 'D23145890734', verified: true });
  });

  test('the French card of 1988: another order, no expiry', () => {
    const mrz = read('IDFRABERTHIER<<<<<<<<<<<<<<<<<<<<<<<', '8806923102858CORINNE<<<<<<<6512068F6');
    expect(values(mrz)).toMatchObject({
      format: 'FRA-ID',
      number: '880692310285',
      surname: 'BERTHIER',
      given: 'CORINNE',
      birth: '1965-12-06',
      sex: 'F',
      expiry: undefined,
    });
    expect(mrz?.checks).toEqual({ passed: 3, total: 3 });
  });

  test("Germany's code is D with two fillers", () => {
    expect(
      values(read('P<D<<MUSTERMANN<<ERIKA<<<<<<<<<<<<<<<<<<<<<<', 'C01X00T478D<<6408125F2702283<<<<<<<<<<<<<<<4')),
    ).toMatchObject({
      number: 'C01X00T47',
      surname: 'MUSTERMANN',
      nationality: 'D',
    });
  });
});

describe('what readers take for something else', () => {
  test('letters in dates are digits, digits in names and codes are letters', () => {
    const mrz = read('P<UT0ER1KS5ON<<ANNA<MARIA<<<<<<<<<<<<<<<<<<<', 'L898902C36UT074O8I22FI2O4I59ZE184226B<<<<<1O');
    expect(values(mrz)).toEqual({ ...anna, format: 'TD3', number: 'L898902C3' });
    expect(mrz?.checks.passed).toBe(4);
  });

  test('the document number is the reading that its check digit agrees with', () => {
    expect(read(TD3[0]!, 'L8989O2C36UTO7408122F1204159ZE184226B<<<<<10')?.document_number).toMatchObject({
      value: 'L898902C3',
      verified: true,
    });
  });

  test('where every 0 was read as O, the regular number is preferred to one that agrees by chance', () => {
    const number = read(
      TD3[0]!,
      `CAOOOOO7O${checkDigit('CA0000070')}UTO7408122F1204159<<<<<<<<<<<<<<<0`,
    )?.document_number;
    expect(number).toMatchObject({ value: 'CA0000070', verified: true });
  });

  test('fillers that were miscounted, in both lines', () => {
    const mrz = read('P<UTOERIKSSON<<ANNA<MARIA<<<<<<<<<<<<<', 'L898902C36UTO7408122F1204159ZE184226B<<<<<<<<10');
    expect(values(mrz)).toEqual({ ...anna, format: 'TD3', number: 'L898902C3' });
    expect(mrz?.lines).toEqual(TD3);
  });

  test('fillers read as letters, brackets, guillemets and spaces', () => {
    const mrz = read('P<UTOERIKSSON«ANNA(MARIA<<<KLKKK<<<<CC<<LKK<', 'L898902C36 UTO7408122F1204159ZE184226B <<K<< 10');
    expect(values(mrz)).toEqual({ ...anna, format: 'TD3', number: 'L898902C3' });
  });

  test('small letters among the fillers, as Tesseract reads them', () => {
    expect(values(read('P<UTOERIKSSON<<ANNA<MARIA<<<<<<<ccccccc<<eke', TD3[1]!))).toMatchObject(anna);
  });

  test('a name that ends in K, and one that is K alone, keep it', () => {
    expect(values(read('P<UTONOVAK<<MAREK<<<<<<<<<<<<<<<<<<<<<<<<<<<', TD3[1]!))).toMatchObject({
      surname: 'NOVAK',
      given: 'MAREK',
    });
  });

  test('a line that was read as two', () => {
    const page = typedPage([TD3[0]!, TD3[1]!.slice(0, 20), TD3[1]!.slice(20)]);
    const [, left, right] = page.words;
    right!.bbox = { ...right!.bbox, x: left!.bbox.x + left!.bbox.width + 5, y: left!.bbox.y + 9 };
    expect(values(readMrz(layoutLines([page])))).toMatchObject({ ...anna, number: 'L898902C3' });
  });

  test('a lost filler in the code D<<, and a lost one for a sex that is left open', () => {
    const upper = 'IDD<<MUSTERMANN<<ERIKA<<<<<<<<<<<<<<';
    const lower = `T22000129${checkDigit('T22000129')}D<<6408125<2010315<<<<<<<4`;
    const expected = {
      number: 'T22000129',
      surname: 'MUSTERMANN',
      nationality: 'D',
      birth: '1964-08-12',
      sex: 'X',
      expiry: '2020-10-31',
    };
    expect(values(read(upper, lower))).toMatchObject(expected);
    expect(values(read(upper, lower.replace('D<<', 'D<')))).toMatchObject(expected);
    expect(values(read(upper, lower.replace('5<2', '52')))).toMatchObject(expected);
  });

  test('print beside the zone', () => {
    expect(values(read(`${TD3[0]!}   Maus`, TD3[1]!))).toMatchObject(anna);
  });

  test('a number that no repair brings to agree is given, unverified', () => {
    const mrz = read(TD3[0]!, 'X777777777UTO7408122F1204159ZE184226B<<<<<10');
    expect(mrz?.document_number).toMatchObject({ value: 'X77777777', verified: false });
    expect(mrz!.checks.passed).toBeLessThan(mrz!.checks.total);
  });

  test('where two repairs agree equally well, both are candidates and neither is verified', () => {
    // S for 5 in the first place and in the fourth alter the sum alike: the weights repeat every three characters.
    const digit = checkDigit('512S45678');
    const number = read(TD3[0]!, `S12S45678${digit}UTO7408122F1204159<<<<<<<<<<<<<<<0`)?.document_number;
    expect(number).toMatchObject({ verified: false });
    expect(number?.candidates).toEqual(expect.arrayContaining(['512S45678', 'S12545678']));
  });
});

describe('lines that are no zone', () => {
  test.each([
    ['nothing', ['']],
    ['prose', ['The quick brown fox jumps over the lazy dog and runs away', 'because it was late']],
    ['an invoice', ['Invoice 12345678 Date 2024-01-01', 'Total 1,234.00 << net']],
    ['fillers alone', ['<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<', '<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<']],
    ['digits alone', ['12345678901234567890123456789012345678901234', '98765432109876543210987654321098765432109876']],
    ['dates that are no days', [TD3[0]!, 'L898902C36UTO7499999F1299999ZE184226B<<<<<10']],
    ['one long line', ['P<'.repeat(5000)]],
  ])('%s', (_, lines) => {
    expect(read(...lines)).toBeUndefined();
  });

  test('two thousand lines of fillers and letters take less than two seconds', () => {
    const hostile = (i: number): string => `P<UTOKLCKLC<<<<KKK${String(i)}OISBZG<<<<<<<<<<<0011`;
    const lines = layoutLines([typedPage(Array.from({ length: 2000 }, (_, i) => hostile(i)))]);
    const started = performance.now();
    expect(readMrz(lines)).toBeUndefined();
    expect(performance.now() - started).toBeLessThan(2000);
  });
});

describe('centuries', () => {
  const today = new Date('2026-06-01');

  test('a birth lies in the past, and before the expiry', () => {
    expect(birthDate('740812', '2012-04-15', today)).toBe('1974-08-12');
    expect(birthDate('110101', '2012-07-04', today)).toBe('2011-01-01');
    expect(birthDate('130101', '2012-07-04', today)).toBe('1913-01-01');
    expect(birthDate('260602', undefined, today)).toBe('1926-06-02');
  });

  test('an expiry lies at most 25 years ahead', () => {
    expect(expiryDate('310228', today)).toBe('2031-02-28');
    expect(expiryDate('961210', today)).toBe('1996-12-10');
  });

  test('a day that is not in the calendar is no date', () => {
    expect(birthDate('010229', undefined, today)).toBeUndefined();
    expect(expiryDate('300231', today)).toBeUndefined();
  });
});
