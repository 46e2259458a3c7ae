import { textOf } from '../../layout/lines.ts';
import { cellOf, clean, missing } from '../../tables/items.ts';
import type { ExtractionField, LineItem, LineItemCell } from '../../types.ts';
import type { ExtractContext } from '../context.ts';
import { fieldOf } from '../field.ts';
import { partyFields } from '../invoice/parties.ts';
import { accountHolder, accountNumber, bankName, headEnd, statementParties } from './account.ts';
import { balanceFields, labelledAmounts, turnoverFields } from './balances.ts';
import { findPeriod, statementDate } from './dates.ts';
import { type Settled, settle } from './settle.ts';
import { readEntries } from './transactions.ts';
import { OPENING_LABEL } from './vocabulary.ts';

export interface ExtractedStatement {
  fields: Record<string, ExtractionField>;
  line_items: LineItem[];
}

type Fields = Record<string, ExtractionField>;

/**
 * A bank's statement of an account: whose it is, its period and balances, and its transactions with the signs that they
 * have for the holder (debits negative). Rows that the running balance proves are the surest.
 */
export function extractBankStatement(context: ExtractContext): ExtractedStatement {
  const { settled, period, date } = readMovements(context, 'bank');
  const bank = bankName(context, headEnd(context.lines, settled[0]?.entry.row.lines[0]));
  const parties = statementParties(context, 'bank_statement');
  const fields: Fields = { ...balanceFields(context, settled), ...turnoverFields(context, settled) };
  const put = (name: string, field: ExtractionField | undefined): void => {
    if (field) fields[name] = field;
  };
  put('bank_name', bank ?? partyFields(parties)['vendor_name']);
  put('account_holder', accountHolder(context, parties, fields['bank_name']?.value));
  put('account_number', accountNumber(context));
  put('statement_date', date);
  if (period) {
    const { line } = period;
    put('statement_period_start', fieldOf(period.start, line.words, line.page, period.named ? 0.96 : 0.85));
    put('statement_period_end', fieldOf(period.end, line.words, line.page, period.named ? 0.96 : 0.85));
  }
  put('currency', currencyOf(context));
  return { fields, line_items: settled.map((item) => toLine(item, 'bank')) };
}

/**
 * A supplier's statement of what a customer owes: invoices, credit notes and payments (negative), each with its date and
 * reference, and the balance before and after them.
 */
export function extractSupplierStatement(context: ExtractContext): ExtractedStatement {
  const { settled, period, date } = readMovements(context, 'supplier');
  const parties = statementParties(context, 'supplier_statement');
  const fields: Fields = { ...partyFields(parties), ...balanceFields(context, settled) };
  const put = (name: string, field: ExtractionField | undefined): void => {
    if (field) fields[name] = field;
  };
  put('account_number', accountNumber(context));
  put('statement_date', date);
  if (period) {
    put('statement_period_start', fieldOf(period.start, period.line.words, period.line.page, 0.9));
    put('statement_period_end', fieldOf(period.end, period.line.words, period.line.page, 0.9));
  }
  put('currency', currencyOf(context));
  return { fields, line_items: settled.map((item) => toLine(item, 'supplier')) };
}

function readMovements(context: ExtractContext, party: 'bank' | 'supplier') {
  const period = findPeriod(context);
  const date = statementDate(context, period);
  const until = period?.end ?? (typeof date?.value === 'string' ? date.value : '');
  const entries = readEntries(context, party, until);
  const opening = labelledAmounts(context, OPENING_LABEL)[0]?.amount;
  return { settled: settle(entries, party, opening), period, date };
}

const currencyOf = (context: ExtractContext): ExtractionField | undefined =>
  context.currency ? fieldOf(context.currency.code, [], 1, context.currency.sure ? 0.95 : 0.5) : undefined;

function toLine({ entry, amount, balance, certainty, proven }: Settled, party: 'bank' | 'supplier'): LineItem {
  const { row, date, description, reference } = entry;
  const { page } = row;
  const moved = entry.credit ?? entry.debit ?? entry.amount;
  const money = (value: number, words = moved?.words ?? []): LineItemCell => cellOf(value, words, page, certainty);
  const text = clean(textOf(description));
  const extra: Record<string, LineItemCell> = {};
  if (date)
    extra['date'] = cellOf(
      date.iso,
      date.words.length > 0 ? date.words : row.lines[0]!.words,
      page,
      date.words.length > 0 ? 0.96 : 0.8,
    );
  if (entry.valueDate !== undefined) extra['value_date'] = cellOf(entry.valueDate, date?.words ?? [], page, 0.85);
  if (reference.length > 0) extra['reference'] = cellOf(clean(textOf(reference)), reference, page, 0.93);
  if (balance !== undefined) extra['balance'] = cellOf(balance, entry.balance?.words ?? [], page, proven ? 0.98 : 0.85);
  const raises = party === 'bank' ? amount > 0 : amount < 0;
  extra[raises ? 'credit' : 'debit'] = money(Math.abs(amount));
  return {
    ...extra,
    description: text === '' ? missing() : cellOf(text, description, page, proven ? 0.95 : 0.88),
    quantity: missing(),
    unit_price: missing(),
    amount: money(amount),
    total: money(amount),
  };
}
