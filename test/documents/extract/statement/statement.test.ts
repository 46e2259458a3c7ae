import { describe, expect, test } from '@jest/globals';
import { createContext } from '../../../../documents/extract/context.ts';
import { extractBankStatement, extractSupplierStatement } from '../../../../documents/extract/statement/statement.ts';
import type { PageText } from '../../../../documents/index.ts';
import { typedPage } from '../../support.ts';

const values = (fields: Record<string, { value: unknown }>, ...names: string[]): unknown[] =>
  names.map((name) => fields[name]?.value);
const bank = (pages: PageText[]) => extractBankStatement(createContext(pages));
const rowsOf = (statement: ReturnType<typeof bank>): unknown[][] =>
  statement.line_items.map((row) => values(row, 'date', 'description', 'amount', 'balance'));

const HEAD = [
  'Northern Lakes Bank                            Account statement',
  '',
  'Account holder                  Account number:   12345678',
  'Ada Lovelace                    Statement date:   31/01/2024',
  '12 Mill Street',
  '',
  'Period: 01/01/2024 to 31/01/2024',
  '',
];

describe('bank statements', () => {
  test('debits are negative, wrapped texts belong to their row, balances are no transactions', () => {
    const statement = bank([
      typedPage([
        ...HEAD,
        'Date         Details                      Paid out     Paid in      Balance',
        '             Balance brought forward                                 100.00',
        '02/01/2024   Salary                                     50.00        150.00',
        '             Engine Works Ltd',
        '15/01/2024   Rent                            30.00                   120.00',
        '             Closing balance                                        £120.00',
      ]),
    ]);
    expect(rowsOf(statement)).toEqual([
      ['2024-01-02', 'Salary Engine Works Ltd', 50, 150],
      ['2024-01-15', 'Rent', -30, 120],
    ]);
    expect(
      values(
        statement.fields,
        'bank_name',
        'account_holder',
        'account_number',
        'statement_date',
        'statement_period_start',
        'statement_period_end',
        'opening_balance',
        'closing_balance',
        'total_credits',
        'total_debits',
        'currency',
      ),
    ).toEqual([
      'Northern Lakes Bank',
      'Ada Lovelace',
      '12345678',
      '2024-01-31',
      '2024-01-01',
      '2024-01-31',
      100,
      120,
      50,
      30,
      'GBP',
    ]);
  });

  test('a day and month take their year from the period, over the turn of the year too', () => {
    const statement = bank([
      typedPage([
        'Period: 15 December 2023 to 14 January 2024',
        'Date       Description            Amount     Balance',
        '28 Dec     Shop                   -20.00      80.00',
        '03 Jan     Refund                   5.00      85.00',
      ]),
    ]);
    expect(rowsOf(statement).map(([date]) => date)).toEqual(['2023-12-28', '2024-01-03']);
  });

  test('the running balance gives a sign that is not printed', () => {
    const statement = bank([
      typedPage([
        'Period: 01/03/2024 to 31/03/2024',
        'Date         Description            Amount      Balance',
        '             Opening balance                     100.00',
        '05/03/2024   Shop                    20.00        80.00',
        '06/03/2024   Refund                   5.00        85.00',
      ]),
    ]);
    expect(rowsOf(statement).map(([, , amount]) => amount)).toEqual([-20, 5]);
  });

  test('the newest transaction may stand first', () => {
    const statement = bank([
      typedPage([
        'Date         Description            Amount      Balance',
        '06/03/2024   Refund                   5.00        85.00',
        '05/03/2024   Shop                    20.00        80.00',
        '04/03/2024   Salary                  60.00       100.00',
        '01/02/2024   Gift                    40.00        40.00',
      ]),
    ]);
    expect(rowsOf(statement).map(([, , amount]) => amount)).toEqual([5, -20, 60, 40]);
  });

  test('CR and DR, trailing minus and the headings of sections say what goes in and out', () => {
    const marked = bank([
      typedPage([
        'Date         Description            Amount',
        '05/03/2024   Shop                    20.00 DR',
        '06/03/2024   Refund                   5.00 CR',
        '07/03/2024   Fee                      1.00-',
      ]),
    ]);
    expect(rowsOf(marked).map(([, , amount]) => amount)).toEqual([-20, 5, -1]);
    const heading = 'Date         Description            Amount';
    const sections = bank([
      typedPage([
        'Deposits',
        heading,
        '05/03/2024   Salary                  20.00',
        'Total deposits                       20.00',
        'Withdrawals',
        heading,
        '06/03/2024   Shop                     5.00',
      ]),
    ]);
    expect(rowsOf(sections).map(([, , amount]) => amount)).toEqual([20, -5]);
  });

  test('a German statement: Soll and Haben, short dates, decimal comma', () => {
    const statement = bank([
      typedPage([
        'Kontoauszug vom 31.01.2024',
        'Kontonummer 4711000',
        'Buchung  Wert    Verwendungszweck           Soll        Haben',
        '                 Alter Kontostand                     1.500,00',
        '02.01.   03.01.  Miete                    750,00',
        '05.01.   05.01.  Gehalt                               2.000,50',
        '                 Neuer Kontostand                     2.750,50',
      ]),
    ]);
    expect(statement.line_items.map((row) => values(row, 'date', 'description', 'amount'))).toEqual([
      ['2024-01-02', 'Miete', -750],
      ['2024-01-05', 'Gehalt', 2000.5],
    ]);
    expect(values(statement.fields, 'opening_balance', 'closing_balance', 'account_number')).toEqual([
      1500,
      2750.5,
      '4711000',
    ]);
  });

  test('proven rows are surer than contradicted ones', () => {
    const { line_items: rows } = bank([
      typedPage([
        'Date         Description            Amount      Balance',
        '             Opening balance                     100.00',
        '05/03/2024   Shop                   -20.00        80.00',
        '06/03/2024   Refund                   5.00        99.00',
      ]),
    ]);
    expect(rows[0]!['amount']!.confidence).toBeGreaterThan(0.9);
    expect(rows[1]!['amount']!.confidence).toBeLessThan(0.7);
  });

  test.each([
    ['an empty page', []],
    ['a letter', ['Dear customer,', 'we changed our terms on 1 May 2024.']],
    ['noise', ['| . 9', '- - €']],
  ])('%s has no transactions', (_, lines) => {
    expect(bank([typedPage(lines)]).line_items).toEqual([]);
  });
});

describe('supplier statements', () => {
  test('invoices raise what is owed, payments and credit notes lower it', () => {
    const { fields, line_items: rows } = extractSupplierStatement(
      createContext([
        typedPage([
          'Kestrel Freight Services                 STATEMENT OF ACCOUNT',
          '915 Lakeshore Drive',
          'Madison, WI 53703',
          '',
          'Account No:      AC298154',
          'Statement Date:  July 13, 2024',
          '',
          'Date            Reference    Type            Debit     Credit     Balance',
          '                Opening balance                                    100.00',
          'June 18, 2024   PMT8458      Payment                    40.00       60.00',
          'June 22, 2024   INV3833      Invoice         21.50                  81.50',
          '                                      Closing balance         81.50 GBP',
        ]),
      ]),
    );
    expect(rows.map((row) => values(row, 'date', 'reference', 'description', 'total'))).toEqual([
      ['2024-06-18', 'PMT8458', 'Payment', -40],
      ['2024-06-22', 'INV3833', 'Invoice', 21.5],
    ]);
    expect(
      values(fields, 'account_number', 'statement_date', 'opening_balance', 'closing_balance', 'currency'),
    ).toEqual(['AC298154', '2024-07-13', 100, 81.5, 'GBP']);
  });
});
