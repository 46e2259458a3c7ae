import { describe, expect, test } from '@jest/globals';
import { completeDate, dateOrderOf, findDates, partialDateAt } from '../../../documents/values/dates.ts';
import { currencyIn, decimalMarkOf, parseMoney } from '../../../documents/values/money.ts';

describe('dates', () => {
  test.each([
    ['27/03/2018 16:34', 'dmy', '2018-03-27'],
    ['3/4/2021', 'mdy', '2021-03-04'],
    ['3/4/2021', 'dmy', '2021-04-03'],
    ['12/13/2016 9:52', 'dmy', '2016-12-13'],
    ['2018-03-23', 'mdy', '2018-03-23'],
    ['11.04.18', 'dmy', '2018-04-11'],
    ['28 May 2024', 'dmy', '2024-05-28'],
    ['15/Apr/2017', 'dmy', '2017-04-15'],
    ['August 15, 2023', 'dmy', '2023-08-15'],
    ['19 april 2014', 'dmy', '2014-04-19'],
    ['5. März 2024', 'dmy', '2024-03-05'],
    ['1er février 2020'.replace('er', ''), 'dmy', '2020-02-01'],
  ] as const)('%s (%s) is %s', (text, order, iso) => {
    expect(findDates(text, order)[0]?.iso).toBe(iso);
  });

  test.each(['31/02/2020', '1.234.567', '03-41056485', '99/99/9999', '12:34:56'])('%s is no date', (text) => {
    expect(findDates(text)).toEqual([]);
  });

  test('one unambiguous date decides the order of the whole document', () => {
    expect(dateOrderOf('03/04/2026 and 04/25/2026')).toBe('mdy');
    expect(dateOrderOf('03/04/2026 and 25/04/2026')).toBe('dmy');
    expect(dateOrderOf('03/04/2026')).toBeUndefined();
  });

  test('a reading that could be either is marked', () => {
    expect(findDates('03/04/2026')[0]?.ambiguous).toBe(true);
    expect(findDates('25/04/2026')[0]?.ambiguous).toBe(false);
  });
});

describe('money', () => {
  test.each([
    ['1,234.56', '.', 1234.56],
    ['1.234,56', ',', 1234.56],
    ['RM12.00', '.', 12],
    ['$1,021.80', '.', 1021.8],
    ['(45.00)', '.', -45],
    ['12.50-', '.', -12.5],
    ['-0,50', ',', -0.5],
    ['11.60SR', '.', 11.6],
    ['1.234', ',', 1234],
    ['3,333', '.', 3333],
    ['1O.5O', '.', 10.5],
    ['€399,00', ',', 399],
  ] as const)('%s is %s → %d', (text, mark, amount) => {
    expect(parseMoney(text, mark)?.amount).toBe(amount);
  });

  test.each(['SOLO', '27/03/2018', '03-41056485', 'INV-5570229', '16:34'])('%s is no amount', (text) => {
    expect(parseMoney(text)).toBeUndefined();
  });

  test('the decimal mark is what most amounts of the document use', () => {
    expect(decimalMarkOf('1.234,56 und 12,00')).toBe(',');
    expect(decimalMarkOf('1,234.56 and 12.00')).toBe('.');
    expect(decimalMarkOf('no amounts')).toBeUndefined();
  });

  test('currencies by sign and by code', () => {
    expect(currencyIn('Total € 12')).toBe('EUR');
    expect(currencyIn('RM 12.00')).toBe('MYR');
    expect(currencyIn('R 250.00')).toBe('ZAR');
    expect(currencyIn('nothing')).toBeUndefined();
  });

  test.each([
    ['1,23,456.78', '.', 123456.78],
    ['EUR 5,-', ',', 5],
    ['12.00-', '.', -12],
    ['(12.00)', '.', -12],
    ['−5,00', ',', -5],
    ["1'234.56", '.', 1234.56],
    ['1\u00a0234,56', ',', 1234.56],
  ] as const)('%s is an amount', (text, decimal, amount) => {
    expect(parseMoney(text, decimal)).toMatchObject({ amount, exact: true });
  });

  test.each([
    ['7.00 CR', 'credit'],
    ['12.00DR', 'debit'],
    ['12.00', undefined],
    ['12.50 SR', undefined],
  ])('%s is marked as %s', (text, side) => {
    expect(parseMoney(text)?.side).toBe(side);
  });
});

describe('dates without a year', () => {
  test.each([
    ['28.10. Miete', 'dmy', 10, 28],
    ['05/26 Check', 'mdy', 5, 26],
    ['3 Mai Loyer', 'dmy', 5, 3],
    ['Jan 05 Fee', 'mdy', 1, 5],
  ] as const)('%s', (text, order, month, day) => {
    expect(partialDateAt(text, order)).toMatchObject({ month, day });
  });

  test.each(['12.50', '31.31.', 'Shop', ''])('%s is none', (text) => {
    expect(partialDateAt(text)).toBeUndefined();
  });

  test('the year is the latest that the period allows', () => {
    expect(completeDate({ month: 12, day: 28 }, '2024-01-14')).toBe('2023-12-28');
    expect(completeDate({ month: 1, day: 3 }, '2024-01-14')).toBe('2024-01-03');
  });

  test('a lost comma or capital of a date with a month name', () => {
    expect(findDates('November 082023').map(({ iso }) => iso)).toEqual(['2023-11-08']);
    expect(findDates('ctober 26,2023').map(({ iso }) => iso)).toEqual(['2023-10-26']);
  });
});
