import { ApiError } from '../contracts/errors.ts';
import type { DocumentType, LineInput } from '../contracts/finance.ts';
import { statement } from '../../platform/db/statement.ts';
import type { TenantTransaction } from '../../platform/db/transaction.ts';
import type { LineRow } from './finance-document.view.ts';
import { digitsOf, MAX_AMOUNT, toMajor } from './money.ts';
import { computeTotals } from './totals.ts';
import type { Totals } from './totals.ts';

const INSERT = statement(`
  insert into finance_document_lines (client_id, document_id, line_number, description, quantity, unit_price,
    discount_percent, tax_rate, item_code, account_code, discount_minor, net_minor, tax_minor)
  select $1, $2, l.* from jsonb_to_recordset($3::jsonb) as l(line_number int, description text, quantity numeric,
    unit_price numeric, discount_percent numeric, tax_rate numeric, item_code text, account_code text,
    discount_minor bigint, net_minor bigint, tax_minor bigint)`);
const REMOVE = statement(`delete from finance_document_lines where client_id = $1 and document_id = $2`);
const COPY = statement(`
  insert into finance_document_lines (client_id, document_id, line_number, description, quantity, unit_price,
    discount_percent, tax_rate, item_code, account_code, discount_minor, net_minor, tax_minor)
  select client_id, $3, line_number, description, quantity, unit_price, discount_percent, tax_rate, item_code,
    account_code, discount_minor, net_minor, tax_minor
  from finance_document_lines where client_id = $1 and document_id = $2`);

/** Lines as they are stored, and what they come to. */
export interface PricedLines {
  rows: LineRow[];
  totals: Totals;
}

/** Prices the lines of an input. A delivery note may leave prices out: it says what was delivered. */
export function priceLines(type: DocumentType, lines: readonly LineInput[], currency: string): PricedLines {
  const missing = lines.flatMap((line, index) =>
    line.unit_price === undefined && type !== 'delivery_note' ? [`lines[${String(index)}].unit_price`] : [],
  );
  if (missing.length > 0) {
    throw ApiError.ofFields(
      missing.map((field) => ({ field, issue: 'is missing' })),
      'BAD_REQUEST',
    );
  }
  const priced = lines.map((line) => ({ ...line, unit_price: line.unit_price ?? 0 }));
  const totals = computeTotals(priced, digitsOf(currency));
  checkSize(totals, currency);
  const rows = priced.map((line, index) => ({
    line_number: index + 1,
    description: line.description,
    quantity: String(line.quantity),
    unit_price: String(line.unit_price),
    discount_percent: String(line.discount_percent),
    tax_rate: String(line.tax_rate),
    item_code: line.item_code ?? null,
    account_code: line.account_code ?? null,
    ...(totals.lines[index] ?? { discount_minor: 0, net_minor: 0, tax_minor: 0 }),
  }));
  return { rows, totals };
}

export function writeLines(tx: TenantTransaction, documentId: number, rows: readonly LineRow[]): void {
  tx.write(INSERT, [tx.clientId, documentId, JSON.stringify(rows)]);
}

export function replaceLines(tx: TenantTransaction, documentId: number, rows: readonly LineRow[]): void {
  tx.write(REMOVE, [tx.clientId, documentId]);
  writeLines(tx, documentId, rows);
}

/** The same lines at the same prices, and so the same amounts, on another document. */
export function copyLines(tx: TenantTransaction, from: number, to: number): void {
  tx.write(COPY, [tx.clientId, from, to]);
}

function checkSize(totals: Totals, currency: string): void {
  if (totals.total_minor < 0) throw ApiError.invalid('lines', 'the total must not be negative');
  const amounts = [totals.subtotal_minor, totals.total_minor, totals.discount_minor].concat(
    totals.lines.flatMap(({ net_minor, discount_minor }) => [net_minor, discount_minor]),
  );
  if (amounts.some((minor) => Math.abs(toMajor(minor, currency)) > MAX_AMOUNT)) {
    throw ApiError.invalid('lines', `no amount may exceed ${String(MAX_AMOUNT)}`);
  }
}
