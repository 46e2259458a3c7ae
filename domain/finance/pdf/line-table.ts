import { setImmediate } from 'node:timers/promises';
import type { DocumentType, FinanceLine } from '../../contracts/finance.ts';
import type { Figures } from './figures.ts';
import type { Labels } from './labels.ts';
import { RULE, SHADE, SOFT_INK } from './sheet.ts';
import type { Sheet } from './sheet.ts';
import { fit, wrap } from './wrap.ts';

const SIZE = 9;
const LINE_HEIGHT = 12;
const PADDING = 4;
const HEAD_HEIGHT = 18;
const GAP = 8;
/** Rows that are drawn before other work of the process has its turn. */
const ROWS_AT_ONCE = 25;

interface Column {
  title: string;
  /** The right end of its figures. */
  right: number;
  width: number;
  of: (line: FinanceLine) => string;
}

interface Context {
  sheet: Sheet;
  labels: Labels;
  figures: Figures;
  currency: string;
  type: DocumentType;
  lines: readonly FinanceLine[];
}

/** The lines of the document; on each page that they go on to, the headings are there again. */
export async function drawLines(context: Context): Promise<void> {
  const { sheet, lines, labels } = context;
  const columns = columnsOf(context);
  const textRight = Math.min(...columns.map((column) => column.right - column.width)) - GAP;
  const textLeft = sheet.left + 26;
  const head = (): void => drawHead(sheet, columns, labels, textLeft);
  const before = sheet.onNewPage;
  sheet.need(HEAD_HEIGHT + 3 * LINE_HEIGHT);
  head();
  sheet.onNewPage = () => {
    before();
    head();
  };
  for (const [index, line] of lines.entries()) {
    if (index % ROWS_AT_ONCE === ROWS_AT_ONCE - 1) await setImmediate();
    drawRow(context, { line, columns, textLeft, textRight });
  }
  sheet.onNewPage = before;
}

function columnsOf({ sheet, labels, figures, currency, type, lines }: Context): Column[] {
  const quantity = { title: labels.quantity, of: (line: FinanceLine) => figures.quantity(line.quantity) };
  const priced = [
    quantity,
    { title: labels.unitPrice, of: (line: FinanceLine) => figures.price(line.unit_price) },
    ...(lines.some((line) => line.discount_percent > 0)
      ? [
          {
            title: labels.discount,
            of: (line: FinanceLine) => (line.discount_percent > 0 ? figures.percent(line.discount_percent) : ''),
          },
        ]
      : []),
    { title: labels.tax, of: (line: FinanceLine) => figures.percent(line.tax_rate) },
    { title: `${labels.amount} (${currency})`, of: (line: FinanceLine) => figures.amount(line.net_amount) },
  ];
  // What goes with the goods tells no prices.
  const wanted = type === 'delivery_note' ? [quantity] : priced;
  const { regular, bold } = sheet.faces;
  let right = sheet.right - PADDING;
  return wanted
    .reverse()
    .map(({ title, of }) => {
      const printable = (line: FinanceLine): string => regular.printable(of(line));
      const widest = Math.max(...lines.map((line) => regular.width(printable(line), SIZE)));
      const column = {
        title: bold.printable(title),
        right,
        width: Math.max(widest, bold.width(title, SIZE - 1)),
        of: printable,
      };
      right -= column.width + GAP * 1.5;
      return column;
    })
    .reverse();
}

function drawHead(sheet: Sheet, columns: readonly Column[], labels: Labels, textLeft: number): void {
  const style = { face: sheet.faces.bold, size: SIZE - 1 };
  const top = sheet.y;
  sheet.box(sheet.left, top, sheet.width, HEAD_HEIGHT, SHADE);
  const y = top - 4.5;
  sheet.text('#', sheet.left + PADDING, y, style);
  sheet.text(sheet.faces.bold.printable(labels.description), textLeft, y, style);
  for (const { title, right } of columns) sheet.text(title, right, y, { ...style, align: 'right' });
  sheet.y = top - HEAD_HEIGHT;
}

/** A row stays on one page where it can; one that is longer than a page goes on from line to line. */
function drawRow(
  { sheet, labels }: Context,
  row: { line: FinanceLine; columns: readonly Column[]; textLeft: number; textRight: number },
): void {
  const { line, columns, textLeft, textRight } = row;
  const { regular } = sheet.faces;
  const texts = wrap(line.description, regular, SIZE, textRight - textLeft);
  const code =
    line.item_code === null
      ? undefined
      : fit(`${labels.itemCode}: ${line.item_code}`, regular, SIZE - 1.5, textRight - textLeft);
  const height = (texts.length + (code === undefined ? 0 : 1)) * LINE_HEIGHT + 2 * PADDING;
  sheet.need(Math.min(height, 12 * LINE_HEIGHT));
  sheet.y -= PADDING;
  sheet.text(String(line.line_number), sheet.left + PADDING, sheet.y, { colour: SOFT_INK });
  for (const column of columns) sheet.text(column.of(line), column.right, sheet.y, { size: SIZE, align: 'right' });
  for (const text of texts) {
    if (sheet.need(LINE_HEIGHT)) sheet.y -= PADDING;
    sheet.text(text, textLeft, sheet.y, { size: SIZE });
    sheet.y -= LINE_HEIGHT;
  }
  if (code !== undefined) {
    if (sheet.need(LINE_HEIGHT)) sheet.y -= PADDING;
    sheet.text(code, textLeft, sheet.y, { size: SIZE - 1.5, colour: SOFT_INK });
    sheet.y -= LINE_HEIGHT;
  }
  sheet.y -= PADDING;
  sheet.rule(sheet.y, { colour: RULE });
}
