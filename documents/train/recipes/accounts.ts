import type { Author } from '../author.ts';
import { heading } from './commercial.ts';

function ledgerRows(author: Author, write: () => string, balance: boolean): void {
  const { random, sheet } = author;
  const rows = random.chance(0.2) ? random.integer(30, 70) : random.integer(3, 22);
  for (let row = 0; row < rows; row++) {
    const side = random.pick([0.6, 0.72]);
    const cells: [number, string][] = [
      [0.08, author.date()],
      [0.24, write()],
      [side, author.money()],
    ];
    if (balance) cells.push([0.86, author.money(9000)]);
    sheet.row(cells);
  }
}

function columnHeads(author: Author): void {
  const cells = author.term('columns').split(/\s{2,}/);
  author.sheet.row(cells.map((cell, index) => [0.08 + (index * 0.82) / cells.length, cell]));
}

function bankStatement(author: Author): void {
  const { random, sheet } = author;
  sheet.row(
    [[0.08, `${random.pick(['First', 'Harbour', 'Meridian', 'Union', 'Coastal'])} ${author.term('bank_word')}`]],
    random.between(1, 2),
  );
  if (author.has()) sheet.row([[0.08, author.street()]]);
  if (author.has(1.1)) sheet.row([[random.pick([0.08, 0.55]), author.term('bank_statement')]], random.between(1, 2));
  if (author.has()) author.labelled('holder', author.person());
  else sheet.row([[0.08, author.person()]]);
  author.labelled('account_no', String(random.integer(10_000_000, 999_999_999)));
  if (author.has(0.5)) author.lines('bank', 0.2);
  if (author.has()) author.labelled('period', `${author.date()} - ${author.date()}`);
  if (author.has()) author.labelled('opening', author.money(9000));
  if (author.has(0.4)) author.labelled('closing', author.money(9000));
  sheet.gap();
  if (author.has()) columnHeads(author);
  ledgerRows(author, () => author.term('movements'), random.chance(0.7));
  if (author.has()) author.labelled('closing', author.money(9000));
}

function supplierStatement(author: Author): void {
  const { random, sheet } = author;
  heading(author, 'supplier_statement');
  if (author.has()) author.labelled('account_no', author.number());
  author.labelled('date', author.date());
  if (author.has()) author.party('bill_to');
  if (author.has(0.5)) author.labelled('opening', author.money());
  if (author.has()) columnHeads(author);
  const withNumber = random.chance(0.8);
  ledgerRows(
    author,
    () =>
      `${author.term(random.chance(0.7) ? 'invoice_row' : 'payment_row')}${withNumber ? ` ${author.number()}` : ''}`,
    random.chance(0.7),
  );
  sheet.gap();
  if (author.has()) author.lines('ageing', 0.4, () => author.money());
  if (author.has(0.7)) author.labelled('total', author.money());
  if (author.has(0.3)) author.lines('bank', 0.3);
}

function bill(author: Author): void {
  const { random, sheet } = author;
  heading(author, 'bill');
  author.labelled('account_no', author.number());
  if (author.has(0.4)) author.labelled('invoice_no', author.number());
  author.labelled('date', author.date());
  if (author.has()) author.labelled('due', author.date());
  if (author.has()) author.labelled('period', `${author.date()} - ${author.date()}`);
  if (author.has(0.5)) author.party('bill_to');
  else {
    sheet.row([[0.08, author.person()]]);
    sheet.row([[0.08, author.street()]]);
    sheet.row([[0.08, author.town()]]);
  }
  if (author.has(0.4)) author.labelled('opening', author.money(300));
  const metered = random.chance(0.7);
  if (metered) author.lines('meter', 0.55, () => String(random.integer(100, 9999)));
  author.lines('charges', metered ? 0.4 : 0.65, () => author.money(200));
  if (author.has())
    sheet.row([
      [0.6, author.term('tax')],
      [0.75, author.money(50)],
    ]);
  sheet.row(
    [
      [0.6, author.term('total')],
      [0.75, author.money(400)],
    ],
    random.between(1, 1.5),
  );
  if (author.has(0.4)) author.lines('bank', 0.3);
  if (author.has(0.3)) author.lines('terms', 0.3);
}

export const accountRecipes = { bank_statement: bankStatement, supplier_statement: supplierStatement, bill };
