import type { Line } from '../layout/lines.ts';
import type { Cell } from './cells.ts';
import type { Column, Header } from './header.ts';
import type { ColumnKind } from './column-kind.ts';
import type { TableRules } from './table.ts';
import { CARRIED_LABEL, CLOSING_LABEL, EXTRAS_LABEL, PAGE_LABEL, TOTALS_LABEL } from './vocabulary.ts';

const MONEY: readonly ColumnKind[] = ['total', 'gross', 'unit_price', 'amount'];

const GROUP_SUM =
  /(?:sub[\s-]?total|zwischensumme|sous[\s-]?total|subtotaal|subtotale)\W*(?:[£$€]\s*)?[\d.,\s]+\D{0,4}$/i;

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
  describe(columns);
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

/** No heading that we know stands over the texts: the first one that we don't know does, or none at all. */
function describe(columns: Column[]): void {
  if (columns.some(({ kind }) => kind === 'description')) return;
  const unknown = columns.findIndex(({ kind }) => kind === 'other');
  const numbers = columns.findIndex(({ kind }) => kind === 'quantity' || MONEY.includes(kind));
  if (unknown >= 0 && unknown < numbers) columns[unknown]!.kind = 'description';
  else if (numbers === 0) columns.unshift({ kind: 'description', left: 0, right: columns[0]!.left - 1, heading: '' });
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
  // "Phase 1 subtotal  2,540.00", right of the texts: the sum of a group.
  if (GROUP_SUM.test(text) && !startsAtTexts(line, header.columns)) return 'end';
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
  const named = labels.filter((text) => TOTALS_LABEL.test(text)).length;
  // Alone, or side by side over their amounts.
  return named > 0 && (/\d/.test(line.text) || line.words.length <= 2 || named > 2);
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
