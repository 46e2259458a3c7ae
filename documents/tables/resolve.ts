import { sameAmount } from '../values/money.ts';
import { NUMERIC } from './cells.ts';
import type { Column } from './header.ts';
import type { ColumnKind } from './column-kind.ts';
import { headingKind } from './headings.ts';
import type { Row, Table } from './table.ts';

/** The columns whose numbers are quantity, price and total, and how many rows prove it by multiplication. */
export interface Roles {
  quantity?: Column;
  unit_price?: Column;
  total?: Column;
  /** Rows where quantity × price, less the discount, is the total; of those that have all three. */
  proven: number;
  tested: number;
}

/**
 * The headings' meaning, unless arithmetic contradicts it: "Price" may be the price or the total, of "net" and "gross"
 * columns one is quantity × price. Other columns are tried only when those that the headings name don't multiply.
 */
export function resolveRoles(table: Table): Roles {
  const { columns } = table.header;
  const find = (kind: ColumnKind): Column | undefined => columns.find((column) => column.kind === kind);
  const named = withProof(table, {
    quantity: find('quantity'),
    unit_price: find('unit_price'),
    total: find('total') ?? find('gross'),
  });
  if (named.tested > 0 && named.proven * 2 >= named.tested) return named;
  const numbers = columns.filter((column) => NUMERIC.has(column.kind) || column.kind === 'other');
  let best = named;
  for (const quantity of numbers) {
    for (const unit_price of numbers) {
      for (const total of numbers) {
        if (quantity === unit_price || quantity === total || unit_price === total) continue;
        const tried = withProof(table, { quantity, unit_price, total });
        const enough = tried.proven > named.proven && tried.proven * 5 >= table.rows.length * 3;
        if (enough && rank(tried) > rank(best) && !isTrivial(table, tried)) best = tried;
      }
    }
  }
  return best;
}

/** Quantity and price may be exchanged in a product: the headings say which is which. */
const rank = (roles: Roles): number =>
  roles.proven * 10 +
  (roles.quantity?.kind === 'quantity' ? 2 : 0) +
  (roles.unit_price?.kind === 'unit_price' ? 2 : 0) +
  (headingKind(roles.unit_price?.heading ?? '') === 'unit_price' ? 1 : 0) +
  (roles.total?.kind === 'total' ? 2 : roles.total?.kind === 'gross' ? 1 : 0);

function withProof(
  table: Table,
  roles: Partial<Record<'quantity' | 'unit_price' | 'total', Column | undefined>>,
): Roles {
  let proven = 0;
  let tested = 0;
  for (const row of table.rows) {
    const outcome = multiplies(row, roles as Roles);
    if (outcome === undefined) continue;
    tested++;
    if (outcome) proven++;
  }
  return {
    ...(Object.fromEntries(Object.entries(roles).filter(([, column]) => column)) as Partial<Roles>),
    proven,
    tested,
  };
}

const amountOf = (row: Row, column: Column | undefined): number | undefined =>
  column ? row.cells.get(column)?.number?.amount : undefined;

/** Whether quantity × price is the total; undefined where one of them is missing. */
export function multiplies(row: Row, roles: Pick<Roles, 'quantity' | 'unit_price' | 'total'>): boolean | undefined {
  const quantity = amountOf(row, roles.quantity);
  const price = amountOf(row, roles.unit_price);
  const total = amountOf(row, roles.total);
  if (quantity === undefined || price === undefined || total === undefined) return undefined;
  const discount = [...row.cells].find(([column]) => column.kind === 'discount')?.[1].number;
  const product = quantity * price;
  const tolerance = Math.max(0.011, Math.abs(total) * 0.0015);
  if (sameAmount(Math.abs(product), Math.abs(total), tolerance)) return true;
  if (!discount) return false;
  const less = Math.abs(discount.amount);
  return sameAmount(product * (1 - less / 100), total, tolerance) || sameAmount(product - less, total, tolerance);
}

/** 1 × x = x and 0 × x = 0 prove nothing about which column is which. */
function isTrivial(table: Table, roles: Roles): boolean {
  return table.rows.every((row) => {
    const quantity = amountOf(row, roles.quantity);
    return quantity === undefined || quantity === 0 || quantity === 1 || amountOf(row, roles.unit_price) === 1;
  });
}
