import type { Line } from '../layout/lines.ts';
import type { Word } from '../types.ts';
import type { DecimalMark } from '../values/money.ts';
import type { Column } from './header.ts';
import type { ColumnKind } from './column-kind.ts';
import { type NumberToken, numberTokens } from './numbers.ts';

export interface Cell {
  words: Word[];
  number?: NumberToken;
}

export type Cells = Map<Column, Cell>;

export const NUMERIC: ReadonlySet<ColumnKind> = new Set([
  'quantity',
  'unit_price',
  'discount',
  'tax_rate',
  'tax',
  'total',
  'gross',
  'debit',
  'credit',
  'amount',
  'balance',
]);
const MONEY: ReadonlySet<ColumnKind> = new Set([
  'unit_price',
  'tax',
  'total',
  'gross',
  'debit',
  'credit',
  'amount',
  'balance',
]);

/** In line heights: how far from its heading a number may stand. A price may be aligned anyhow, an integer may be text. */
const REACH_EXACT = 9;
const REACH_INTEGER = 3.2;
const REACH_OTHER = 1.5;

/**
 * Divides lines into the columns of one table. It follows each column down the page: the edges of the number read last
 * count like those of the heading, so skew, perspective and wide headings are borne.
 */
export class ColumnReader {
  private readonly columns: Column[];
  private readonly decimal: DecimalMark;
  private readonly edges = new Map<Column, { left: number; right: number }>();
  private readonly starts: Map<Column, number>;

  constructor(columns: Column[], lines: Line[], decimal: DecimalMark) {
    this.columns = columns;
    this.decimal = decimal;
    this.starts = textStarts(columns, lines);
  }

  read(line: Line): Cells {
    const cells: Cells = new Map();
    const tokens = numberTokens(line.words, this.decimal);
    const homes = this.placeNumbers(tokens, line.bbox.height);
    const used = new Set<Word>();
    for (const [token, column] of homes) {
      cells.set(column, { words: token.words, number: token });
      if (token.exact) this.edges.set(column, { left: token.left, right: token.right });
      for (const word of token.words) used.add(word);
    }
    for (const segment of line.segments) {
      const words = segment.words.filter((word) => !used.has(word));
      const only = this.onlyTextColumn(words);
      for (const word of words) this.addText(cells, word, line.bbox.height, only);
    }
    return cells;
  }

  /** Numbers keep the order of the columns; of all such placings, the nearest one. */
  private placeNumbers(tokens: NumberToken[], height: number): [NumberToken, Column][] {
    const { columns } = this;
    const best = Array.from({ length: tokens.length + 1 }, () => new Float64Array(columns.length + 1));
    const nearness = tokens.map((token) => columns.map((column) => this.nearness(token, column, height)));
    for (let t = 1; t <= tokens.length; t++) {
      for (let c = 1; c <= columns.length; c++) {
        const near = nearness[t - 1]![c - 1]!;
        const placed = near > 0 ? best[t - 1]![c - 1]! + near : 0;
        best[t]![c] = Math.max(best[t - 1]![c]!, best[t]![c - 1]!, placed);
      }
    }
    const homes: [NumberToken, Column][] = [];
    for (let t = tokens.length, c = columns.length; t > 0 && c > 0;) {
      if (best[t]![c] === best[t]![c - 1]) c--;
      else if (best[t]![c] === best[t - 1]![c]) t--;
      else homes.push([tokens[--t]!, columns[--c]!]);
    }
    return homes.reverse();
  }

  /** 0: not in this column; the larger the nearer. */
  private nearness(token: NumberToken, column: Column, height: number): number {
    const { kind } = column;
    const numeric = NUMERIC.has(kind);
    if (!numeric && kind !== 'position' && kind !== 'sku' && kind !== 'reference' && kind !== 'other') return 0;
    if (token.percent && MONEY.has(kind)) return 0;
    if (token.exact && (kind === 'position' || kind === 'sku' || kind === 'reference')) return 0;
    const inText = !token.exact && !token.percent && (token.afterText || token.beforeText);
    if (inText && (MONEY.has(kind) || !numeric || (token.afterText && !this.under(token, column)))) return 0;
    const reach = !numeric ? REACH_OTHER : token.exact ? REACH_EXACT : REACH_INTEGER;
    const distance = this.distance(token, column) / height;
    if (distance >= reach) return 0;
    return (numeric ? 10 : 8.5) + (token.percent && (kind === 'tax_rate' || kind === 'discount') ? 3 : 0) - distance;
  }

  private distance(token: NumberToken, column: Column): number {
    const from = (left: number, right: number): number => {
      const inside = token.left < right && token.right > left ? 0.5 : 1;
      const middle = Math.abs((left + right - token.left - token.right) / 2);
      return Math.min(Math.abs(right - token.right), Math.abs(left - token.left), middle) * inside;
    };
    const edge = this.edges.get(column);
    return Math.min(from(column.left, column.right), edge ? from(edge.left, edge.right) : Infinity);
  }

  private under(token: NumberToken, column: Column): boolean {
    return token.left < column.right && token.right > column.left;
  }

  private addText(cells: Cells, word: Word, height: number, only: Column | undefined): void {
    const home = this.textColumn(word, height, only);
    const column = home?.kind === 'description' ? (this.unitOf(cells, word, home) ?? home) : home;
    if (!column) return;
    const cell = cells.get(column) ?? { words: [] };
    cells.set(column, { ...cell, words: [...cell.words, word] });
  }

  /** "185 m2", with no heading over the unit: a short word behind a number that is right of the texts. */
  private unitOf(cells: Cells, word: Word, description: Column): Column | undefined {
    if (word.text.length > UNIT_LETTERS) return undefined;
    const passed = [...cells].filter(
      ([column, { number }]) => number && column.left > description.left && number.right <= word.bbox.x,
    );
    return passed.sort(([a], [b]) => b.left - a.left)[0]?.[0];
  }

  /** A run of words that stands under one text heading belongs to it, wherever it begins. */
  private onlyTextColumn(words: Word[]): Column | undefined {
    if (words.length === 0) return undefined;
    const left = words[0]!.bbox.x;
    const right = words.at(-1)!.bbox.x + words.at(-1)!.bbox.width;
    const under = [...this.starts.keys()].filter((column) => left < column.right && right > column.left);
    return under.length === 1 ? under[0] : undefined;
  }

  /**
   * The text column in whose part of the line a word begins. Units and signs beside a number belong to its column.
   */
  private textColumn(word: Word, height: number, only: Column | undefined): Column | undefined {
    const right = word.bbox.x + word.bbox.width;
    const over = this.columns.find(
      (column) => NUMERIC.has(column.kind) && word.bbox.x < column.right && right > column.left,
    );
    const texts = [...this.starts].filter(([, start]) => word.bbox.x >= start - height * 0.4);
    const home = only ?? texts.sort((a, b) => b[1] - a[1])[0]?.[0] ?? [...this.starts.keys()][0];
    if (!over) return home;
    const reaches = home?.kind === 'description' && home.left < over.left && right < over.right && !isShort(word);
    return reaches ? home : over;
  }
}

const UNIT_LETTERS = 5;
const isShort = (word: Word): boolean => word.text.length <= 4;

/**
 * Where the text columns begin. A heading may be centred over texts that start left of it: where many lines start at
 * one place between two headings, that is the start of the right one.
 */
function textStarts(columns: Column[], lines: Line[]): Map<Column, number> {
  const starts = new Map<Column, number>();
  const texts = columns.filter((column) => !NUMERIC.has(column.kind));
  const lefts = lines.flatMap((line) =>
    line.segments.filter((segment) => /\p{L}/u.test(segment.text)).map((segment) => segment.bbox.x),
  );
  const height = lines[0]?.bbox.height ?? 10;
  const rows = lines.filter((line) => /\d[.,]\d{2}\b/.test(line.text)).length;
  for (const column of texts) {
    const previous = columns[columns.indexOf(column) - 1];
    const floor = previous ? previous.right : -Infinity;
    const between = lefts.filter((x) => x > floor && x < column.left + height * 0.4);
    const found = between
      .map((x) => ({ x, count: between.filter((other) => Math.abs(other - x) < height * 0.4).length }))
      .sort((a, b) => b.count - a.count || b.x - a.x)[0];
    const common = found && found.count >= Math.max(2, rows * 0.4);
    starts.set(column, common ? found.x : column.left);
  }
  return starts;
}
