import type { PageText, Word } from '../types.ts';
import { type EInvoice, type EInvoiceLine, einvoiceColumns } from './types.ts';

const DPI = 200;
/** A4 at 200 dpi; a long invoice gets a longer page, so that a bare XML file is always one page. */
const WIDTH = 1654;
const MIN_HEIGHT = 2339;
const MARGIN = 100;
const LINE_HEIGHT = 44;
const LETTER_HEIGHT = 28;
const LETTER_WIDTH = 15;

const TITLES: Record<EInvoice['document_type'], string> = {
  invoice: 'Invoice',
  credit_note: 'Credit note',
  purchase_order: 'Purchase order',
};

/**
 * A bare XML file as a page: its title, a line `Label: value` for every field, and its lines as a table. Values stand as
 * the XML has them, so every field finds its words, and a reader can be shown what was read.
 */
export function einvoicePage(invoice: EInvoice): PageText {
  const sheet = new Sheet();
  sheet.write([TITLES[invoice.document_type]]);
  sheet.skip();
  for (const [name, value] of Object.entries(invoice.fields))
    sheet.write([`${labelOf(name)}:`, String(value)], [0, 480]);
  if (invoice.line_items.length > 0) {
    const columns = einvoiceColumns.filter((column) => invoice.line_items.some((line) => line[column] !== undefined));
    const left = columnStarts(columns);
    sheet.skip();
    sheet.write(columns.map(labelOf), left);
    for (const line of invoice.line_items) sheet.write(cellsOf(line, columns), left);
  }
  const height = Math.max(MIN_HEIGHT, sheet.y + MARGIN);
  return {
    page: 1,
    width: WIDTH,
    height,
    dpi: DPI,
    words: sheet.words,
    source: 'text_layer',
    rotation: 0,
    language: 'en',
  };
}

/** `invoice_number` → `Invoice number`. */
const labelOf = (name: string): string => (name.charAt(0).toUpperCase() + name.slice(1)).replaceAll('_', ' ');

const cellsOf = (line: EInvoiceLine, columns: readonly (keyof EInvoiceLine)[]): string[] =>
  columns.map((column) => String(line[column] ?? ''));

/** The description takes what the other columns leave. */
function columnStarts(columns: readonly string[]): number[] {
  const narrow = 160;
  const wide = WIDTH - 2 * MARGIN - narrow * (columns.length - 1);
  return columns.map((_, index) => (index === 0 ? 0 : wide + narrow * (index - 1)));
}

class Sheet {
  readonly words: Word[] = [];
  y = MARGIN;

  skip(): void {
    this.y += LINE_HEIGHT;
  }

  /** Writes cells at their distances from the margin; one that is too wide is set tighter, up to its neighbour. */
  write(cells: string[], left: number[] = [0]): void {
    for (const [index, cell] of cells.entries()) {
      const start = MARGIN + (left[index] ?? 0);
      const end = MARGIN + (left[index + 1] ?? WIDTH - 2 * MARGIN) - LETTER_WIDTH;
      const letter = Math.min(LETTER_WIDTH, (end - start) / Math.max(1, cell.length));
      for (const match of cell.matchAll(/\S+/g)) {
        const x = start + match.index * letter;
        const bbox = { x: tenth(x), y: this.y, width: tenth(match[0].length * letter), height: LETTER_HEIGHT };
        this.words.push({ text: match[0], confidence: 1, bbox });
      }
    }
    this.y += LINE_HEIGHT;
  }
}

const tenth = (value: number): number => Math.round(value * 10) / 10;
