import { type Line, textOf } from '../layout/lines.ts';
import type { Word } from '../types.ts';
import type { DecimalMark } from '../values/money.ts';
import { type Cell, type Cells, ColumnReader } from './cells.ts';
import { type Header, headerAt, type HeaderTest } from './header.ts';
import type { ColumnKind } from './column-kind.ts';

export interface Row {
  cells: Cells;
  page: number;
  /** The line that has its figures, and the lines of its wrapped texts. */
  lines: Line[];
  /** Text of the lines above and below its figures, in reading order. */
  above: Word[];
  below: Word[];
}

export interface Table {
  header: Header;
  rows: Row[];
  /** Lines of the page that belong to the table: headings, rows and what was left out between them. */
  lines: Set<Line>;
}

/** What one kind of table needs: which headings it has, which lines are rows, and where it ends. */
export interface TableRules {
  accepts: HeaderTest;
  /** Gives the headings the meaning that they have in this kind of table. */
  adapt?: (header: Header) => void;
  isRow: (kinds: ReadonlyMap<ColumnKind, Cell>, line: Line) => boolean;
  /** `skip`: a carry-over, a repeated heading; `end`: the totals. Undefined: a row or a part of one. */
  verdict: (line: Line, kinds: ReadonlyMap<ColumnKind, Cell>, header: Header) => 'end' | 'skip' | undefined;
}

/** In heights: a text further from its row belongs to something else. */
const WRAP_GAP = 1.3;
/** Gaps that differ by less say nothing about which of two rows a text belongs to. */
const GAP_DIFFERENCE = 0.35;
const MAX_WRAPPED = 8;
const FAR_STEPS = 2.5;
const FAR_HEIGHTS = 6;

/** Every table of the kind, in reading order; a table runs on over pages until its end or the next heading. */
export function readTables(lines: Line[], rules: TableRules, decimal: DecimalMark): Table[] {
  const headers = findHeaders(lines, rules);
  return headers.flatMap(({ header, wanted }, index) => {
    if (!wanted) return [];
    const limit = headers[index + 1]?.header.from ?? lines.length;
    return [
      readTable(lines.slice(header.until, limit), header, rules, decimal, lines.slice(header.from, header.until)),
    ];
  });
}

/** So many headings in a row begin a table of whatever kind: the table before it is over. */
const FOREIGN_HEADINGS = 3;

function findHeaders(lines: Line[], rules: TableRules): { header: Header; wanted: boolean }[] {
  const headers: { header: Header; wanted: boolean }[] = [];
  for (let i = 0; i < lines.length; i++) {
    const header = headerAt(lines, i, (kinds) => rules.accepts(kinds) || kinds.size >= FOREIGN_HEADINGS);
    if (!header) continue;
    const wanted = rules.accepts(new Set(header.columns.map((column) => column.kind)));
    if (wanted) rules.adapt?.(header);
    headers.push({ header, wanted });
    i = header.until - 1;
  }
  return headers;
}

export function byKind(cells: Cells): Map<ColumnKind, Cell> {
  const kinds = new Map<ColumnKind, Cell>();
  for (const [column, cell] of cells) if (!kinds.has(column.kind)) kinds.set(column.kind, cell);
  return kinds;
}

function readTable(body: Line[], header: Header, rules: TableRules, decimal: DecimalMark, heading: Line[]): Table {
  const reader = new ColumnReader(header.columns, body.slice(0, 60), decimal);
  const builder = new RowBuilder();
  const lines = new Set(heading);
  for (const [index, line] of body.entries()) {
    const cells = reader.read(line);
    const kinds = byKind(cells);
    const row = rules.isRow(kinds, line);
    const verdict = rules.verdict(line, kinds, header);
    if (verdict === 'end' && !rowsFollow(body.slice(index + 1), reader, rules, header)) break;
    if (row && verdict === undefined && builder.isFar(line)) break;
    lines.add(line);
    if (verdict !== undefined) builder.interrupt();
    else if (row && (line.page === header.page || builder.resembles(cells))) builder.addRow(line, cells);
    else builder.addText(line, textIn(cells, line));
  }
  return { header, rows: builder.finish(), lines };
}

/** A subtotal inside of the table: proper rows, with a quantity that fits price and total, come again behind it. */
function rowsFollow(rest: Line[], reader: ColumnReader, rules: TableRules, header: Header): boolean {
  for (const line of rest.slice(0, 40)) {
    const kinds = byKind(reader.read(line));
    const quantity = kinds.get('quantity')?.number;
    const total = kinds.get('total')?.number;
    if (!quantity || !total?.exact || total.amount === 0 || rules.verdict(line, kinds, header) !== undefined) continue;
    const others = [...kinds].flatMap(([kind, { number }]) =>
      number && (number.exact || kind === 'unit_price') ? [number.amount] : [],
    );
    if (others.some((price) => Math.abs(quantity.amount * price - total.amount) < 0.011)) return true;
  }
  return false;
}

/** The words that stand under the description, or everything where the line has nothing else. */
function textIn(cells: Cells, line: Line): Word[] {
  const kinds = byKind(cells);
  const words = kinds.get('description')?.words ?? [];
  // A line that begins left of the texts, in the column of codes or numbers, is a heading of a group of rows.
  const outside = ['position', 'sku', 'date'].some((kind) =>
    /\p{L}{3}/u.test(textOf(kinds.get(kind as ColumnKind)?.words ?? [])),
  );
  const text = textOf(words);
  if (!/\p{L}{2}|\d{3}/u.test(text) || (outside && words.length <= 1) || /:\s*$/.test(line.text)) return [];
  return words;
}

interface TextLine {
  line: Line;
  words: Word[];
}

const bottomOf = (line: Line): number => line.bbox.y + line.bbox.height;
const gapBetween = (upper: Line, lower: Line): number =>
  upper.page === lower.page
    ? (lower.bbox.y - bottomOf(upper)) / Math.max(1, Math.min(upper.bbox.height, lower.bbox.height))
    : Infinity;

/** Puts rows together from lines with figures and the lines of wrapped texts above and below them. */
class RowBuilder {
  private readonly rows: Row[] = [];
  private waiting: TextLine[] = [];

  addRow(line: Line, cells: Cells): void {
    const previous = this.rows.at(-1);
    if (previous && completes(previous, line, cells)) {
      this.interrupt();
      for (const [column, cell] of cells) if (!previous.cells.has(column)) previous.cells.set(column, cell);
      previous.lines.push(line);
      return;
    }
    const row: Row = { cells, page: line.page, lines: [line], above: [], below: [] };
    this.divide(row, line);
    this.rows.push(row);
  }

  addText(line: Line, words: Word[]): void {
    if (words.length > 0) this.waiting.push({ line, words });
    else this.interrupt();
  }

  /** Something stands between: texts before it belong to the row above. */
  interrupt(): void {
    this.giveToPrevious(this.waiting);
    this.waiting = [];
  }

  /** Much further from the last row than rows are apart: the foot of the page. */
  isFar(line: Line): boolean {
    const on = this.rows.filter((row) => row.page === line.page);
    const tops = on.map((row) => row.lines[0]!.bbox.y);
    const steps = tops.slice(1).map((top, index) => top - tops[index]!);
    if (steps.length === 0) return false;
    const gap = line.bbox.y - bottomOf(on.at(-1)!.lines.at(-1)!);
    return gap > Math.max(Math.max(...steps) * FAR_STEPS, line.bbox.height * FAR_HEIGHTS);
  }

  /** On a page without headings a row must have the columns that the rows before it had. */
  resembles(cells: Cells): boolean {
    const usual = [...(this.rows[0]?.cells ?? new Map()).entries()].filter(
      ([, cell]) => (cell as Cell).number !== undefined,
    );
    const shared = usual.filter(([column]) => cells.get(column as never)?.number !== undefined);
    return shared.length > 0 && shared.length * 2 >= usual.length;
  }

  finish(): Row[] {
    this.interrupt();
    const usual = usualKinds(this.rows);
    return withoutSums(this.rows.filter((row) => !isStray(row, usual)));
  }

  /** The widest gap between the last row, the waiting texts and the new row parts what belongs to which. */
  private divide(row: Row, line: Line): void {
    const { waiting } = this;
    this.waiting = [];
    if (waiting.length === 0) return;
    const previous = this.rows.at(-1);
    const chain = [...(previous ? [previous.lines.at(-1)!] : []), ...waiting.map((text) => text.line), line];
    const gaps = chain.slice(1).map((lower, index) => gapBetween(chain[index]!, lower));
    if (!previous) {
      const near = waiting.filter((_, index) => gaps.slice(index).every((gap) => gap < WRAP_GAP));
      if (!hasText(row) || gaps.slice(-near.length).every((gap) => gap < GAP_DIFFERENCE)) give(row, near, 'above');
      return;
    }
    const widest = Math.max(...gaps);
    const even = widest - Math.min(...gaps) < GAP_DIFFERENCE;
    const at = even ? (hasText(row) ? waiting.length : 0) : gaps.indexOf(widest);
    this.giveToPrevious(waiting.slice(0, at));
    const own = nearTo(waiting.slice(at), line);
    if (!isGroupHeading(own, row)) give(row, own, 'above');
  }

  private giveToPrevious(texts: TextLine[]): void {
    const previous = this.rows.at(-1);
    if (!previous) return;
    for (const text of texts) {
      const last = previous.lines.at(-1)!;
      if (gapBetween(last, text.line) > WRAP_GAP || previous.lines.length > MAX_WRAPPED) return;
      give(previous, [text], 'below');
    }
  }
}

const SUMS: readonly ColumnKind[] = ['total', 'gross'];
const numbersIn = (cells: Cells): ColumnKind[] =>
  [...cells].flatMap(([column, cell]) => (cell.number ? [column.kind] : []));

/** One row whose total is printed a little lower or higher than its quantity and price. */
function completes(previous: Row, line: Line, cells: Cells): boolean {
  if (gapBetween(previous.lines.at(-1)!, line) > WRAP_GAP) return false;
  const before = numbersIn(previous.cells);
  const now = numbersIn(cells).filter((kind) => kind !== 'sku' && kind !== 'position');
  const counted = (kinds: ColumnKind[]): boolean => kinds.includes('quantity') && kinds.includes('unit_price');
  const summed = (kinds: ColumnKind[]): boolean => SUMS.some((kind) => kinds.includes(kind));
  if (now.some((kind) => before.includes(kind))) return false;
  return (counted(before) && !summed(before) && summed(now)) || (summed(before) && before.length === 1 && counted(now));
}

/** The number columns that most rows have. */
function usualKinds(rows: Row[]): ColumnKind[] {
  const all = rows.map((row) => new Set(numbersIn(row.cells)));
  return [...new Set(all.flatMap((kinds) => [...kinds]))].filter(
    (kind) => rows.length > 2 && all.filter((kinds) => kinds.has(kind)).length >= rows.length * 0.6,
  );
}

/** A figure without text, quantity or price that is the sum of the rows above it, and no row: nothing names it. */
function withoutSums(rows: Row[]): Row[] {
  let sum = 0;
  const kept: Row[] = [];
  for (const row of rows) {
    const kinds = numbersIn(row.cells);
    const total = [...row.cells].find(([column]) => SUMS.includes(column.kind))?.[1].number?.amount ?? 0;
    const bare =
      !hasText(row) && row.above.length === 0 && !kinds.includes('quantity') && !kinds.includes('unit_price');
    if (bare && kept.length > 0 && total !== 0 && Math.abs(total - sum) < 0.011) break;
    sum += total;
    kept.push(row);
  }
  return kept;
}

/** Figures in a sentence under the rows: no total where the others have one, and more is missing. */
function isStray(row: Row, usual: ColumnKind[]): boolean {
  const own = numbersIn(row.cells);
  const missing = usual.filter((kind) => !own.includes(kind));
  return missing.length > 1 && missing.some((kind) => SUMS.includes(kind));
}

const descriptionText = (row: Row): string =>
  textOf([...row.cells].find(([column]) => column.kind === 'description')?.[1].words ?? []);
const hasText = (row: Row): boolean => /\p{L}{2}/u.test(descriptionText(row));

/** "Phase 2 - Build" over a row whose own text begins anew is the heading of a group, and no part of the text. */
const isGroupHeading = (texts: TextLine[], row: Row): boolean =>
  texts.length === 1 &&
  hasText(row) &&
  /^[\p{Lu}\d]/u.test(descriptionText(row)) &&
  !/[,;&–-]$/.test(texts[0]!.line.text) &&
  texts[0]!.words.length <= 6;

/** The texts that reach down to a line without a wide gap. */
function nearTo(texts: TextLine[], line: Line): TextLine[] {
  const near: TextLine[] = [];
  let below = line;
  for (const text of [...texts].reverse()) {
    if (gapBetween(text.line, below) > WRAP_GAP) break;
    near.unshift(text);
    below = text.line;
  }
  return near;
}

function give(row: Row, texts: TextLine[], place: 'above' | 'below'): void {
  for (const { line, words } of texts) {
    row[place].push(...words);
    if (place === 'below') row.lines.push(line);
    else row.lines.unshift(line);
  }
}
