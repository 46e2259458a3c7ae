import type { Line } from '../../layout/lines.ts';
import { textOf } from '../../layout/lines.ts';
import { type Cell, type Cells } from '../../tables/cells.ts';
import type { Header } from '../../tables/header.ts';
import type { ColumnKind } from '../../tables/column-kind.ts';
import { byKind, readTables, type Row, type Table, type TableRules } from '../../tables/table.ts';
import { PAGE_LABEL } from '../../tables/vocabulary.ts';
import type { Word } from '../../types.ts';
import { completeDate, findDates, partialDateAt } from '../../values/dates.ts';
import type { ExtractContext } from '../context.ts';
import { wordsAt } from '../date-field.ts';
import { BALANCE_LINE, SUM_LINE } from './vocabulary.ts';

/** One movement on an account, as its row says it; the sign is settled afterwards. */
export interface Entry {
  date?: { iso: string; words: Word[] };
  valueDate?: string;
  reference: Word[];
  description: Word[];
  debit?: Cell;
  credit?: Cell;
  amount?: Cell;
  balance?: Cell;
  row: Row;
  /** What the headings around say of the direction: 1 deposits, -1 withdrawals. */
  section?: 1 | -1;
}

const MONEY: readonly ColumnKind[] = ['amount', 'debit', 'credit', 'balance', 'total'];

/** Movements of all tables of a statement, in the order of the page. */
export function readEntries(context: ExtractContext, party: 'bank' | 'supplier', periodEnd: string): Entry[] {
  const reader = new DateReader(context, periodEnd);
  const lines = context.lines.map((line) => reader.strip(line));
  const tables = readTables(lines, entryRules(party, reader), context.decimal);
  return tables.flatMap((table) => entriesOf(table, reader, context));
}

interface LineDates {
  dates: { iso: string; words: Word[] }[];
}

/** Takes the dates off the beginning of lines, so that "28.10." is no number and what follows it a description. */
class DateReader {
  private readonly found = new Map<Line, LineDates>();
  private readonly context: ExtractContext;
  private readonly periodEnd: string;

  constructor(context: ExtractContext, periodEnd: string) {
    this.context = context;
    this.periodEnd = periodEnd;
  }

  datesOf(line: Line): LineDates['dates'] {
    return this.found.get(line)?.dates ?? [];
  }

  strip(line: Line): Line {
    const dates: LineDates['dates'] = [];
    let words = line.words;
    for (let round = 0; round < 2; round++) {
      const date = this.dateAt(line, words);
      if (!date) break;
      dates.push(date);
      words = words.filter((word) => !date.words.includes(word));
    }
    if (dates.length === 0) return line;
    const taken = new Set(dates.flatMap((date) => date.words));
    const segments = line.segments
      .map((segment) => segment.words.filter((word) => !taken.has(word)))
      .filter((rest) => rest.length > 0)
      .map((rest) => ({
        words: rest,
        text: textOf(rest),
        bbox: { ...rest[0]!.bbox, width: rest.at(-1)!.bbox.x + rest.at(-1)!.bbox.width - rest[0]!.bbox.x },
      }));
    const stripped: Line = { ...line, words, segments, text: textOf(words) };
    this.found.set(stripped, { dates });
    return stripped;
  }

  /** A full date, or a day and month of the period, at the beginning of what is left of a line. */
  private dateAt(line: Line, words: Word[]): { iso: string; words: Word[] } | undefined {
    if (words.length === 0) return undefined;
    const rest: Line = { ...line, words, text: textOf(words) };
    const full = findDates(rest.text, this.context.dateOrder)[0];
    // A row number may stand before it.
    if (full && /^\W*\d{0,3}\W*$/.test(rest.text.slice(0, full.index)))
      return { iso: full.iso, words: wordsAt(rest, full.index, full.length) };
    const partial = partialDateAt(rest.text, this.context.dateOrder);
    const iso = partial && this.periodEnd !== '' ? completeDate(partial, this.periodEnd) : undefined;
    return partial && iso !== undefined ? { iso, words: wordsAt(rest, partial.index, partial.length) } : undefined;
  }
}

function entryRules(party: 'bank' | 'supplier', reader: DateReader): TableRules {
  return {
    accepts: (kinds) => {
      const dated = kinds.has('date') || kinds.has('value_date');
      const both = kinds.has('debit') && kinds.has('credit');
      const money = MONEY.some((kind) => kinds.has(kind));
      return (
        (dated && money) || (kinds.has('description') && (both || (kinds.has('balance') && money && kinds.size > 2)))
      );
    },
    adapt: (header) => adaptHeader(header, party),
    isRow: (kinds, line) => isEntry(kinds, reader.datesOf(line).length > 0),
    verdict: (line, kinds) => {
      const dated = reader.datesOf(line).length > 0;
      if (PAGE_LABEL.test(line.text) || BALANCE_LINE.test(line.text)) return 'skip';
      return !dated && SUM_LINE.test(line.text) && (kinds.size === 0 || hasMoney(kinds)) ? 'skip' : undefined;
    },
  };
}

const hasMoney = (kinds: ReadonlyMap<ColumnKind, Cell>): boolean =>
  MONEY.some((kind) => kinds.get(kind)?.number !== undefined);

/** A movement has an amount, and a date; of several movements of one day only the first may have it. */
function isEntry(kinds: ReadonlyMap<ColumnKind, Cell>, dated: boolean): boolean {
  const moved = (['amount', 'debit', 'credit'] as const).some((kind) => kinds.get(kind)?.number !== undefined);
  if (dated) return moved || kinds.get('balance')?.number?.exact === true;
  const exact = (['amount', 'debit', 'credit'] as const).some((kind) => kinds.get(kind)?.number?.exact === true);
  return exact && /\p{L}{3}/u.test(textOf(kinds.get('description')?.words ?? []));
}

function adaptHeader(header: Header, party: 'bank' | 'supplier'): void {
  const { columns } = header;
  const has = (kind: ColumnKind): boolean => columns.some((column) => column.kind === kind);
  for (const column of columns) {
    if (party === 'supplier' && /payment|paid|receipt/i.test(column.heading) && column.kind === 'debit')
      column.kind = 'credit';
    if (party === 'supplier' && /charge|invoiced|billed/i.test(column.heading)) column.kind = 'debit';
    if (column.kind === 'sku' && !has('reference')) column.kind = 'reference';
    if ((column.kind === 'total' || column.kind === 'unit_price') && !has('amount')) column.kind = 'amount';
    if (column.kind === 'value_date' && !has('date')) column.kind = 'date';
    if (column.kind === 'quantity' || column.kind === 'tax' || column.kind === 'gross') column.kind = 'other';
  }
}

function entriesOf(table: Table, reader: DateReader, context: ExtractContext): Entry[] {
  const entries: Entry[] = [];
  for (const row of table.rows) {
    const figures = row.lines.find((line) => reader.datesOf(line).length > 0) ?? row.lines[0]!;
    const [date, value] = reader.datesOf(figures);
    const last = entries.at(-1);
    const dated = date ?? (last?.date && last.row.page === row.page ? { iso: last.date.iso, words: [] } : undefined);
    if (!dated) continue;
    entries.push({
      date: dated,
      ...(value ? { valueDate: value.iso } : {}),
      ...cellsOf(row.cells),
      ...descriptionOf(row, table),
      ...sectionOf(context.lines, figures),
      row,
    });
  }
  return entries;
}

function cellsOf(cells: Cells): Partial<Entry> {
  const kinds = byKind(cells);
  const found: Partial<Entry> = {};
  for (const kind of ['debit', 'credit', 'amount', 'balance'] as const) {
    const cell = kinds.get(kind);
    if (cell?.number) found[kind] = cell;
  }
  return found;
}

/** Everything that is no figure and no date; where the table has no column of descriptions, its reference describes. */
function descriptionOf(row: Row, table: Table): Pick<Entry, 'description' | 'reference'> {
  const texts: Word[] = [];
  const reference: Word[] = [];
  for (const [column, cell] of row.cells) {
    if (['debit', 'credit', 'amount', 'balance'].includes(column.kind)) continue;
    if (column.kind === 'reference') reference.push(...cell.words);
    else texts.push(...cell.words);
  }
  texts.sort((a, b) => a.bbox.x - b.bbox.x);
  const description = [...row.above, ...texts, ...row.below];
  const described = table.header.columns.some((column) => column.kind === 'description');
  if (described || reference.length === 0) return { description, reference };
  return { description: description.length > 0 ? description : reference, reference };
}

const SECTIONS: [RegExp, 1 | -1][] = [
  [
    /^\W*(?:deposits?|credits?|additions|money in|paid in|payments? received|gutschriften|eing[aä]nge|cr[ée]dits?|versements|abonos|ingresos|accrediti|entrate|bijschrijvingen|cr[ée]ditos|entradas)\b/i,
    1,
  ],
  [
    /^\W*(?:(?:electronic |other |atm |card )*(?:withdrawals?|debits?)|checks?(?: paid)?|cheques?|payments?|purchases|fees|service (?:fees|charges)|money out|paid out|subtractions|belastungen|ausg[aä]nge|lastschriften|d[ée]bits?|cargos|adeudos|addebiti|uscite|afschrijvingen|d[ée]bitos|sa[ií]das)\b/i,
    -1,
  ],
];

/** The heading of the section of the statement that a row stands in: a line of few words without figures. */
function sectionOf(lines: Line[], figures: Line): { section?: 1 | -1 } {
  for (let i = figures.index - 1; i >= 0 && lines[i]!.index >= figures.index - 120; i--) {
    const { text, words } = lines[i]!;
    if (/\d[.,]\d{2}/.test(text) || words.length > 6) continue;
    const found = SECTIONS.filter(([pattern]) => pattern.test(text));
    // "Deposits and withdrawals" says nothing.
    const mixed = SECTIONS.every(([pattern]) => new RegExp(pattern.source.replace('^\\W*', ''), 'i').test(text));
    if (found.length > 0 && !mixed && lines[i]!.segments.length <= 2) return { section: found[0]![1] };
  }
  return {};
}
