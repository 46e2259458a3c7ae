import type { Line } from '../layout/lines.ts';
import type { Cell } from './cells.ts';
import type { Column, Header } from './header.ts';
import type { ColumnKind } from './headings.ts';
import type { TableRules } from './table.ts';
import { CARRIED_LABEL, CLOSING_LABEL, EXTRAS_LABEL, PAGE_LABEL, TOTALS_LABEL } from './vocabulary.ts';

const MONEY: readonly ColumnKind[] = ['total', 'gross', 'unit_price', 'amount'];

/** A table of goods or services. `unpriced`: a delivery note has quantities and may have no prices. */
export function itemRules(unpriced: boolean): TableRules {
  return {
    accepts: (kinds) => {
      const described = kinds.has('description') || (unpriced && (kinds.has('sku') || kinds.has('reference')));
      const priced = MONEY.some((kind) => kinds.has(kind));
      if (kinds.has('balance') || (kinds.has('debit') && kinds.has('credit'))) return false;
      return priced ? described || kinds.has('quantity') : unpriced && described && kinds.has('quantity');
    },
    adapt,
    isRow: (kinds, line) => isItemRow(kinds, line, unpriced),
    verdict: (line, kinds, header) => verdict(line, kinds, header),
  };
}

function adapt(header: Header): void {
  const { columns } = header;
  const has = (kind: ColumnKind): boolean => columns.some((column) => column.kind === kind);
  const turn = (from: ColumnKind, to: ColumnKind): void => {
    const column = has(to) ? undefined : columns.find((candidate) => candidate.kind === from);
    if (column) column.kind = to;
  };
  turn('amount', 'total');
  turn('reference', 'sku');
  turn('value_date', 'date');
  // A last heading that we don't know, right of the price: what a row comes to.
  const last = columns.at(-1)!;
  const price = columns.find((column) => column.kind === 'unit_price');
  if (last.kind === 'other' && price && !has('total') && !has('gross')) last.kind = 'total';
  if (!has('unit_price') && has('quantity') && has('total')) {
    const between = columns.slice(columns.indexOf(columns.find((c) => c.kind === 'quantity')!) + 1, -1);
    const unknown = between.filter((column) => column.kind === 'other');
    if (unknown.length === 1) unknown[0]!.kind = 'unit_price';
  }
}

function isItemRow(kinds: ReadonlyMap<ColumnKind, Cell>, line: Line, unpriced: boolean): boolean {
  const number = (kind: ColumnKind): boolean => kinds.get(kind)?.number !== undefined;
  if (!/\d/.test(line.text)) return false;
  if (number('total') || number('gross')) return true;
  if (number('quantity') && number('unit_price')) return true;
  return unpriced && number('quantity');
}

function verdict(line: Line, kinds: ReadonlyMap<ColumnKind, Cell>, header: Header): 'end' | 'skip' | undefined {
  const { text } = line;
  if (CARRIED_LABEL.test(text) || PAGE_LABEL.test(text)) return 'skip';
  if (multiplies(kinds)) return undefined;
  const atTexts = startsAtTexts(line, header.columns);
  const amount = kinds.get('total')?.number ?? kinds.get('gross')?.number ?? kinds.get('unit_price')?.number;
  if (isTotals(line, kinds)) return 'end';
  if (EXTRAS_LABEL.test(text)) return atTexts && amount ? undefined : amount ? 'end' : undefined;
  return CLOSING_LABEL.test(text) && !amount ? 'end' : undefined;
}

/** The label of a sum with its amount, or alone; it may stand right of other things, the bank details for one. */
function isTotals(line: Line, kinds: ReadonlyMap<ColumnKind, Cell>): boolean {
  const counted = kinds.get('quantity')?.number !== undefined;
  const labels = [line.text, ...(counted ? [] : line.segments.slice(1).map((segment) => segment.text))];
  return labels.some((text) => TOTALS_LABEL.test(text)) && (/\d/.test(line.text) || line.words.length <= 2);
}

/** quantity × price is the total: a row, whatever its text is called. */
function multiplies(kinds: ReadonlyMap<ColumnKind, Cell>): boolean {
  const [quantity, price, total] = (['quantity', 'unit_price', 'total'] as const).map(
    (kind) => kinds.get(kind)?.number,
  );
  if (!quantity || !price || !total) return false;
  return total.amount !== 0 && Math.abs(quantity.amount * price.amount - total.amount) < 0.011;
}

/** The line begins where the texts of the rows begin, not in the block of totals at the right. */
function startsAtTexts(line: Line, columns: Column[]): boolean {
  const description = columns.find((column) => column.kind === 'description') ?? columns[0]!;
  return line.bbox.x < description.right && line.bbox.x < description.left + line.bbox.height * 3;
}
