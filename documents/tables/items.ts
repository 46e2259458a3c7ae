import type { ExtractContext } from '../extract/context.ts';
import { roundConfidence } from '../extract/field.ts';
import { meanConfidence, pageBox, textOf } from '../layout/lines.ts';
import type { LineItem, LineItemCell, Word } from '../types.ts';
import { findDates } from '../values/dates.ts';
import type { Cell } from './cells.ts';
import type { ColumnKind } from './column-kind.ts';
import { multiplies, resolveRoles, type Roles } from './resolve.ts';
import type { Row, Table } from './table.ts';

/** How sure a cell is: its row multiplies, the column adds up to a printed sum, neither could be tested, or it fails. */
const CERTAINTY = { proven: 0.98, summed: 0.96, plain: 0.88, contradicted: 0.55, derived: 0.6 } as const;

export const missing = (): LineItemCell => ({ value: null, confidence: 0, bbox: null });

export const cellOf = (value: unknown, words: Word[], page: number, certainty: number): LineItemCell => ({
  value,
  confidence: roundConfidence(certainty * (0.4 + 0.6 * meanConfidence(words))),
  bbox: pageBox(words, page),
});

/** `summed`: the totals of the table add up to an amount that the document prints. */
export function toItems(table: Table, context: ExtractContext, summed: boolean): LineItem[] {
  const roles = resolveRoles(table);
  return table.rows.map((row) => toItem(row, roles, context, summed)).filter((item) => !isEmpty(item));
}

const isEmpty = (item: LineItem): boolean =>
  [item.total, item.unit_price, item.quantity].every((cell) => cell.value === null);

function toItem(row: Row, roles: Roles, context: ExtractContext, summed: boolean): LineItem {
  const outcome = multiplies(row, roles);
  const certainty =
    outcome === true
      ? CERTAINTY.proven
      : outcome === false
        ? CERTAINTY.contradicted
        : summed
          ? CERTAINTY.summed
          : CERTAINTY.plain;
  const number = (role: 'quantity' | 'unit_price' | 'total'): LineItemCell => {
    const column = roles[role];
    const token = column ? row.cells.get(column)?.number : undefined;
    const sure = role === 'total' && summed ? Math.max(certainty, CERTAINTY.summed) : certainty;
    return token ? cellOf(token.amount, token.words, row.page, sure) : missing();
  };
  const description = descriptionOf(row);
  const item: LineItem = {
    description:
      description.value === ''
        ? missing()
        : cellOf(description.value, description.words, row.page, Math.max(0.7, certainty - 0.05)),
    quantity: number('quantity'),
    unit_price: number('unit_price'),
    total: number('total'),
    ...extraCells(row, roles, context),
  };
  derive(item);
  return item;
}

function descriptionOf(row: Row): { value: string; words: Word[] } {
  const own = [...row.cells].filter(([column]) => column.kind === 'description').flatMap(([, cell]) => cell.words);
  const words = [...row.above, ...own, ...row.below];
  return { value: clean(textOf(words)), words };
}

export const clean = (text: string): string =>
  text
    .replace(/^[\s|.:;,*•·–-]+|[\s|:;,]+$/g, '')
    .replace(/\s+/g, ' ')
    .trim();

const TEXTS: readonly ColumnKind[] = ['sku', 'unit'];
const NUMBERS: readonly ColumnKind[] = ['tax_rate', 'tax', 'discount', 'gross'];

function extraCells(row: Row, roles: Roles, context: ExtractContext): Record<string, LineItemCell> {
  const extra: Record<string, LineItemCell> = {};
  const used = new Set([roles.quantity, roles.unit_price, roles.total]);
  for (const [column, cell] of row.cells) {
    const { kind } = column;
    if (used.has(column) || extra[kind]) continue;
    if (TEXTS.includes(kind)) addText(extra, kind, cell, row.page);
    else if (NUMBERS.includes(kind) && cell.number)
      extra[kind] = cellOf(cell.number.amount, cell.number.words, row.page, CERTAINTY.plain);
    else if (kind === 'date') {
      const date = findDates(textOf(cell.words), context.dateOrder)[0];
      if (date) extra['date'] = cellOf(date.iso, cell.words, row.page, CERTAINTY.plain);
    }
  }
  const unit = roles.quantity ? unitBeside(row.cells.get(roles.quantity)) : undefined;
  if (unit && !extra['unit']) extra['unit'] = cellOf(textOf(unit), unit, row.page, CERTAINTY.plain);
  return extra;
}

function addText(extra: Record<string, LineItemCell>, kind: ColumnKind, cell: Cell, page: number): void {
  const value = clean(textOf(cell.words));
  if (/[\p{L}\d]/u.test(value)) extra[kind] = cellOf(value, cell.words, page, CERTAINTY.plain);
}

/** "5 Stk", "1.5 hrs": the word behind the number in the column of quantities. */
function unitBeside(cell: Cell | undefined): Word[] | undefined {
  const number = cell?.number;
  if (!cell || !number) return undefined;
  const words = cell.words.filter((word) => !number.words.includes(word) && /^\p{L}{1,8}\.?$/u.test(word.text));
  return words.length > 0 ? words : undefined;
}

/** Two of quantity, price and total give the third; a computed value has no place on the page and less confidence. */
export function derive(item: LineItem): void {
  const value = (name: 'quantity' | 'unit_price' | 'total'): number | undefined =>
    typeof item[name].value === 'number' ? item[name].value : undefined;
  const quantity = value('quantity');
  const price = value('unit_price');
  const total = value('total');
  const put = (name: 'quantity' | 'unit_price' | 'total', computed: number): void => {
    item[name] = { value: computed, confidence: CERTAINTY.derived, bbox: null };
  };
  if (total === undefined && quantity !== undefined && price !== undefined)
    put('total', Math.round(quantity * price * 100) / 100);
  else if (price === undefined && quantity !== undefined && quantity !== 0 && total !== undefined) {
    const computed = total / quantity;
    if (isRound(computed, 100)) put('unit_price', Math.round(computed * 100) / 100);
  } else if (quantity === undefined && price !== undefined && price !== 0 && total !== undefined) {
    const computed = total / price;
    if (isRound(computed, 1) && computed > 0) put('quantity', Math.round(computed));
  }
}

const isRound = (value: number, steps: number): boolean => Math.abs(value * steps - Math.round(value * steps)) < 0.02;
