import type { ExtractContext } from '../extract/context.ts';
import type { Line } from '../layout/lines.ts';
import type { LineItem } from '../types.ts';
import { itemRules } from './item-rules.ts';
import { toItems } from './items.ts';
import { numberTokens } from './numbers.ts';
import { plainItems, toPlainItem } from './plain-items.ts';
import { resolveRoles } from './resolve.ts';
import { readTables, type Table } from './table.ts';

export interface LineItemOptions {
  /** Quantities without prices are rows too: delivery notes. */
  unpriced?: boolean;
  /** Till receipts have no headings: a text and a price make an item. Elsewhere only where the prices add up. */
  receipt?: boolean;
}

/**
 * The goods and services of a document, row by row, over all its pages. Of several tables those count whose totals add
 * up to an amount that is printed elsewhere: not the allocation of costs on page 2, nor the returned goods.
 */
export function extractLineItems(context: ExtractContext, options: LineItemOptions = {}): LineItem[] {
  const { unpriced = false, receipt = false } = options;
  const tables = readTables(context.lines, itemRules(unpriced), context.decimal).filter(
    (table) => table.rows.length > 0,
  );
  const groups = groupAlike(tables);
  const chosen = choose(groups, context);
  if (!unpriced && (!chosen || (receipt && !chosen.summed))) {
    const plain = plainItems(context);
    if (plain.summed || (receipt && !chosen))
      return plain.items.map((item) => toPlainItem(item, plain.summed, !receipt));
  }
  if (!chosen) return [];
  return chosen.tables.flatMap((table) => toItems(table, context, chosen.summed));
}

/** Tables with the same headings are one that goes on: over pages, or under subtotals. */
function groupAlike(tables: Table[]): Table[][] {
  const groups = new Map<string, Table[]>();
  for (const table of tables) {
    const signature = table.header.columns.map((column) => column.kind).join(' ');
    groups.set(signature, [...(groups.get(signature) ?? []), table]);
  }
  return [...groups.values()];
}

interface Choice {
  tables: Table[];
  summed: boolean;
}

function choose(groups: Table[][], context: ExtractContext): Choice | undefined {
  if (groups.length === 0) return undefined;
  const printed = printedAmounts(context, groups.flat());
  const options = groups.length > 1 ? [...groups, groups.flat()] : groups;
  const judged = options.map((tables) => ({ tables, summed: addsUp(tables, printed) }));
  return judged.find(({ summed }) => summed) ?? judged[0];
}

/** In cents, without sign: everything printed outside of the tables' rows. */
function printedAmounts(context: ExtractContext, tables: Table[]): Set<number> {
  const inTables = new Set<Line>(tables.flatMap((table) => [...table.lines]));
  const outside = context.lines.filter((line) => !inTables.has(line));
  const tokens = outside.flatMap((line) => numberTokens(line.words, context.decimal));
  return new Set(tokens.filter((token) => token.exact).map((token) => Math.round(Math.abs(token.amount) * 100)));
}

function addsUp(tables: Table[], printed: Set<number>): boolean {
  const totals = tables.flatMap((table) => {
    const { total } = resolveRoles(table);
    return table.rows.map((row) => (total ? row.cells.get(total)?.number?.amount : undefined));
  });
  if (totals.length === 0 || totals.includes(undefined)) return false;
  const cents = Math.round(Math.abs(totals.reduce<number>((sum, amount) => sum + (amount ?? 0), 0)) * 100);
  return cents !== 0 && [cents - 1, cents, cents + 1].some((candidate) => printed.has(candidate));
}
