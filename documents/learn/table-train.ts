import { textOf } from '../layout/lines.ts';
import { boxOf, type Piece, spansOf } from './candidates.ts';
import type { TableField } from './definition.ts';
import type { FieldSample } from './field-train.ts';
import type { ViewLine } from './page-view.ts';
import { labelsOf } from './places.ts';
import { readRows, wordsWithin } from './table-rows.ts';
import { containment, flat, lettersOf, mean, median, rounded, similarity } from './text.ts';
import { canonical, occurrences, sameValue } from './values.ts';
import type { TableColumn, TableModel, ValueKind } from './types.ts';

type Row = Record<string, unknown>;

/** An annotated row and the line that it was found on. */
interface FoundRow {
  row: Row;
  line: ViewLine;
  cells: Map<string, Piece>;
}

interface TableSample extends FieldSample {
  rows: Row[];
  found: FoundRow[];
}

const MOST_ROWS = 300;
const ALIKE = 0.75;
/** A heading stands at most this many lines above the first row. */
const HEADING_REACH = 4;

/** Learns columns by where the cells of annotated rows stand, what stands above them, and what ends the table. */
export function trainTable(table: TableField, samples: FieldSample[]): TableModel {
  const kinds = columnKinds(table, samples);
  const known = samples.flatMap((sample) => {
    const rows = rowsOf(sample);
    return rows.length === 0 ? [] : [{ ...sample, rows, found: findRows(sample, rows, kinds) }];
  });
  const whole = modelOf(table, kinds, known);
  const shares = known.map((sample) => {
    const others = known.filter((other) => other !== sample);
    return shareRead(sample, modelOf(table, kinds, others), kinds);
  });
  return { ...whole, accuracy: known.length === 0 ? null : rounded(mean(shares)) };
}

function rowsOf({ target }: FieldSample): Row[] {
  if (!Array.isArray(target?.value)) return [];
  const rows = (target.value as unknown[]).filter(
    (row): row is Row => typeof row === 'object' && row !== null && !Array.isArray(row),
  );
  return rows.slice(0, MOST_ROWS);
}

/** A column is of the narrowest kind that all of its annotated values are. */
function columnKinds({ columns }: TableField, samples: FieldSample[]): Map<string, ValueKind> {
  return new Map(
    columns.map((name) => {
      const values = samples
        .flatMap(rowsOf)
        .map((row) => cellOf(row, name))
        .filter((value) => value !== undefined);
      return [name, kindOf(values)];
    }),
  );
}

const cellOf = (row: Row, name: string): unknown => {
  const given = Object.hasOwn(row, name) ? row[name] : undefined;
  const value = typeof given === 'object' && given !== null && 'value' in given ? given.value : given;
  return value === null || value === '' ? undefined : value;
};

function kindOf(values: unknown[]): ValueKind {
  if (values.length === 0) return 'text';
  if (values.every((value) => typeof value === 'number')) return 'number';
  if (values.every((value) => typeof value === 'boolean')) return 'boolean';
  const texts = values.map((value) => (typeof value === 'string' ? value : ''));
  if (texts.every((text) => /^\d{4}-\d{2}-\d{2}$/.test(text))) return 'date';
  return texts.every((text) => /^[-+]?[\d.,' ]*\d[.,]\d{2}$/.test(text)) ? 'number' : 'text';
}

/** Rows are printed in the order in which they were annotated. */
function findRows(sample: FieldSample, rows: Row[], kinds: Map<string, ValueKind>): FoundRow[] {
  const found: FoundRow[] = [];
  let from = 0;
  for (const row of rows) {
    let best: FoundRow | undefined;
    const reach = found.length === 0 ? Infinity : 40;
    for (const line of sample.view.lines.slice(from, from + reach)) {
      const cells = cellsOn(line, row, kinds, sample);
      if (cells.size > (best?.cells.size ?? 0)) best = { row, line, cells };
      if (cells.size === kinds.size) break;
    }
    if (!best || best.cells.size * 2 < [...kinds.keys()].filter((name) => cellOf(row, name) !== undefined).length)
      continue;
    found.push(best);
    from = best.line.index + 1;
  }
  return found;
}

/** Each cell at a place of its own, so that quantity 1 and price 1 don't share one. */
function cellsOn(line: ViewLine, row: Row, kinds: Map<string, ValueKind>, { locale }: FieldSample): Map<string, Piece> {
  const cells = new Map<string, Piece>();
  let behind = 0;
  for (const [name, kind] of kinds) {
    const value = canonical(kind, cellOf(row, name), locale);
    if (value === undefined) continue;
    const pieces =
      typeof value === 'string' && kind === 'text'
        ? textPieces(line, value)
        : occurrences(kind, line.text, locale)
            .filter((one) => sameValue(kind, one.value, value))
            .map(({ start, end }) => ({ line, start, end }));
    const free = pieces.filter(
      (piece) => ![...cells.values()].some((own) => own.start < piece.end && piece.start < own.end),
    );
    const piece = free.find(({ start }) => start >= behind) ?? free[0];
    if (!piece) continue;
    cells.set(name, piece);
    behind = piece.end;
  }
  return cells;
}

/** The span most like the text, or like its beginning where it runs on in the next line. */
function textPieces(line: ViewLine, value: string): Piece[] {
  const target = flat(value);
  const count = value.trim().split(/\s+/).length;
  const scored = [...spansOf(line, [1, Math.min(3, count + 1)]), ...spansOf(line, [1, count + 2])].map((piece) => {
    const text = flat(line.text.slice(piece.start, piece.end));
    const begins = text.length >= 6 && target.startsWith(text) ? 0.8 + 0.1 * (text.length / target.length) : 0;
    return { piece, like: Math.max(begins, similarity(text, target)) };
  });
  const best = Math.max(0, ...scored.map(({ like }) => like));
  return best < ALIKE ? [] : scored.filter(({ like }) => like === best).map(({ piece }) => piece);
}

function modelOf(table: TableField, kinds: Map<string, ValueKind>, samples: TableSample[]): TableModel {
  const tops = samples.flatMap(({ view, found }) =>
    found[0] ? [view.yOf(found[0].line.page, found[0].line.bbox.y)] : [],
  );
  const top = mean(tops);
  return {
    name: table.name,
    required: table.required,
    columns: table.columns.flatMap((name) => columnModel(name, kinds.get(name) ?? 'text', samples)),
    wraps: samples.some((sample) => sample.found.some((found) => runsOn(sample, found, kinds))),
    endings: labelsOf(samples.map(endingOf)),
    top: [rounded(top), rounded(Math.max(0.02, Math.sqrt(mean(tops.map((one) => (one - top) ** 2)))))],
    accuracy: null,
  };
}

function columnModel(name: string, kind: ValueKind, samples: TableSample[]): TableColumn[] {
  const spans = samples.flatMap(({ view, found }) =>
    found.flatMap(({ cells, line }) => {
      const piece = cells.get(name);
      if (!piece) return [];
      const box = boxOf(piece);
      return [{ left: view.xOf(line.page, box.x), right: view.xOf(line.page, box.x + box.width) }];
    }),
  );
  if (spans.length === 0) return [];
  const rows = samples.reduce((sum, { found }) => sum + found.length, 0);
  const [left, right] = kind === 'text' ? textSpan(spans) : numberSpan(spans);
  return [
    {
      name,
      kind,
      headers: labelsOf(samples.map((sample) => headerOf(sample, left, right))),
      left: rounded(left),
      right: rounded(right),
      share: rounded(spans.length / rows),
    },
  ];
}

interface Span {
  left: number;
  right: number;
}

const textSpan = (spans: Span[]): [number, number] => [
  median(spans.map((s) => s.left)),
  Math.max(...spans.map((s) => s.right)),
];

/** One cell far from the others is a value found in the wrong place. */
function numberSpan(spans: Span[]): [number, number] {
  const centre = median(spans.map((s) => s.right));
  const near = spans.filter((s) => Math.abs(s.right - centre) < 0.08);
  return [Math.min(...near.map((s) => s.left)), Math.max(...near.map((s) => s.right))];
}

/** What stands above a column on the nearest line that has something over most of the first row's cells. */
function headerOf({ view, found }: TableSample, left: number, right: number): string {
  const first = found[0];
  if (!first) return '';
  const above = view.lines
    .slice(Math.max(0, first.line.index - HEADING_REACH), first.line.index)
    .reverse()
    .filter((line) => line.page === first.line.page);
  const covered = above.map((line) => [...first.cells.values()].filter((cell) => overCell(line, cell)).length);
  const line = above[covered.indexOf(Math.max(...covered))];
  return line ? lettersOf(textOf(wordsWithin(view, line, left - 0.03, right + 0.03))) : '';
}

function overCell(line: ViewLine, cell: Piece): boolean {
  const box = boxOf(cell);
  return line.words.some(
    ({ bbox, text }) => bbox.x < box.x + box.width && bbox.x + bbox.width > box.x && lettersOf(text) !== '',
  );
}

function endingOf({ view, found }: TableSample): string {
  const last = found.at(-1);
  if (!last) return '';
  const behind = view.lines.slice(last.line.index + 1, last.line.index + 4);
  return behind.map((line) => lettersOf(line.text).slice(0, 12)).find((text) => text.length >= 3) ?? '';
}

function runsOn({ view, locale }: TableSample, { row, line, cells }: FoundRow, kinds: Map<string, ValueKind>): boolean {
  const next = view.lines[line.index + 1];
  if (!next) return false;
  return [...cells].some(([name, piece]) => {
    if (kinds.get(name) !== 'text') return false;
    const whole = flat(String(canonical('text', cellOf(row, name), locale)));
    const read = flat(piece.line.text.slice(piece.start, piece.end));
    const rest = whole.slice(read.length);
    return rest.length >= 3 && containment(rest, flat(next.text)) >= 0.8;
  });
}

/** Share of the annotated cells that a model reads in the right row. */
function shareRead(sample: TableSample, model: TableModel, kinds: Map<string, ValueKind>): number {
  const { rows } = readRows(sample.view, model, sample.locale);
  const asked = sample.rows.flatMap((row, index) =>
    [...kinds].flatMap(([name, kind]) => {
      const value = canonical(kind, cellOf(row, name), sample.locale);
      return value === undefined ? [] : [{ name, kind, value, index }];
    }),
  );
  const right = asked.filter(({ name, kind, value, index }) => sameValue(kind, rows[index]?.cells[name]?.value, value));
  return asked.length === 0 ? 0 : right.length / asked.length;
}
