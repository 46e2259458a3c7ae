import type { Word } from '../types.ts';
import { textOf } from '../layout/lines.ts';
import type { PageView, ViewLine } from './page-view.ts';
import { lettersOf, similarity } from './text.ts';
import { booleanOf, type Locale, occurrences } from './values.ts';
import type { Label, TableColumn, TableModel } from './types.ts';

export interface ReadCell {
  value: unknown;
  words: Word[];
}

export interface ReadRow {
  page: number;
  line: ViewLine;
  cells: Record<string, ReadCell>;
}

/** A column that fewer rows fill is no sign of a row. */
const USUAL = 0.75;
/** Rows that a hostile page can't make more of. */
const MOST_ROWS = 2000;

/** The rows of a learned table on a page of its layout, and how much of its heading was found (0 to 1). */
export function readRows(view: PageView, table: TableModel, locale: Locale): { rows: ReadRow[]; heading: number } {
  const heading = headingIn(view, table);
  const rows: ReadRow[] = [];
  for (const line of view.lines.slice(heading.at + 1)) {
    if (rows.length >= MOST_ROWS) break;
    if (rows.length > 0 && isEnding(line, table.endings)) break;
    const cells = cellsOf(view, line, table, locale);
    if (isRow(cells, table)) rows.push({ page: line.page, line, cells });
    else if (table.wraps) continueRow(rows.at(-1), line, cells, table);
  }
  return { rows, heading: heading.share };
}

/** The line that has most of the columns' headings. Without headings on the samples: where their first rows began. */
function headingIn(view: PageView, table: TableModel): { at: number; share: number } {
  const headed = table.columns.filter(({ headers }) => headers.some(([text]) => text !== ''));
  const top = table.top[0] - 2 * table.top[1] - 0.01;
  const before = view.lines.findLastIndex((line) => view.yOf(line.page, line.bbox.y) < top);
  if (headed.length === 0) return { at: before, share: 0.7 };
  let best = { at: before, share: 0 };
  for (const line of view.lines) {
    const found = headed.filter((column) => headedBy(view, line, column)).length / headed.length;
    if (found > best.share) best = { at: line.index, share: found };
  }
  return best.share >= 0.5 ? best : { at: before, share: best.share };
}

function headedBy(view: PageView, line: ViewLine, { headers, left, right }: TableColumn): boolean {
  const text = lettersOf(textOf(wordsWithin(view, line, left - 0.03, right + 0.03)));
  return text !== '' && headers.some(([header]) => similarity(header, text) >= 0.7);
}

export const wordsWithin = (view: PageView, line: ViewLine, left: number, right: number): Word[] =>
  line.words.filter(({ bbox }) => {
    const from = view.xOf(line.page, bbox.x);
    const to = view.xOf(line.page, bbox.x + bbox.width);
    return Math.min(to, right) - Math.max(from, left) > 0.4 * Math.min(to - from, right - left);
  });

const isEnding = (line: ViewLine, endings: Label[]): boolean => {
  const text = lettersOf(line.text);
  return endings.some(([ending]) => ending !== '' && similarity(text.slice(0, ending.length), ending) >= 0.8);
};

function cellsOf(view: PageView, line: ViewLine, table: TableModel, locale: Locale): Record<string, ReadCell> {
  const words = new Map<TableColumn, Word[]>();
  for (const word of line.words) {
    const column = columnOf(view, line, word, table.columns);
    if (column) words.set(column, [...(words.get(column) ?? []), word]);
  }
  const cells: Record<string, ReadCell> = {};
  for (const [column, own] of words) {
    const value = valueOf(column, textOf(own), locale);
    if (value !== undefined) cells[column.name] = { value, words: own };
  }
  return cells;
}

/** The column that a word lies over most; one between two columns belongs to the text on its left. */
function columnOf(view: PageView, line: ViewLine, { bbox }: Word, columns: TableColumn[]): TableColumn | undefined {
  const from = view.xOf(line.page, bbox.x);
  const to = view.xOf(line.page, bbox.x + bbox.width);
  const distances = columns.map((column) => Math.max(column.left - to, from - column.right));
  const nearest = Math.min(...distances);
  const best = columns[distances.indexOf(nearest)];
  if (nearest < 0.025) return best;
  const before = columns.filter((column) => column.left <= from).sort((a, b) => b.left - a.left)[0];
  return before?.kind === 'text' ? before : undefined;
}

function valueOf({ kind }: TableColumn, text: string, locale: Locale): unknown {
  if (kind === 'text') return text.trim() === '' ? undefined : text.trim();
  if (kind === 'boolean') return booleanOf(text);
  const found = occurrences(kind, text, locale);
  // A number among words is a part of a description that reaches into the column.
  const letters = lettersOf(text).length;
  return found.length > 0 && letters <= 4 ? found.at(-1)!.value : kind === 'date' ? found[0]?.value : undefined;
}

function isRow(cells: Record<string, ReadCell>, { columns }: TableModel): boolean {
  const usual = columns.filter(({ share }) => share >= USUAL);
  const asked = usual.length > 0 ? usual : columns;
  const present = asked.filter(({ name }) => name in cells);
  const exact = asked.filter(({ kind }) => kind !== 'text');
  const exactPresent = present.filter(({ kind }) => kind !== 'text');
  return present.length * 3 >= asked.length * 2 && exactPresent.length * 2 >= exact.length;
}

/** A line with nothing but text runs on from the row above. */
function continueRow(
  row: ReadRow | undefined,
  line: ViewLine,
  cells: Record<string, ReadCell>,
  table: TableModel,
): void {
  if (!row || row.page !== line.page) return;
  const names = Object.keys(cells);
  const [name] = names;
  if (name === undefined || names.length > 1) return;
  const column = table.columns.find((one) => one.name === name)!;
  const cell = row.cells[name];
  if (column.kind !== 'text' || !cell) return;
  const last = cell.words.at(-1)!.bbox;
  if (line.bbox.y - (last.y + last.height) > last.height) return;
  cell.value = `${String(cell.value)} ${String(cells[name]!.value)}`;
  cell.words.push(...cells[name]!.words);
}
