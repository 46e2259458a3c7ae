import type { FinanceDocumentData } from '../../contracts/finance.ts';
import type { Figures } from './figures.ts';
import type { Labels } from './labels.ts';
import { SHADE, SOFT_INK } from './sheet.ts';
import type { Sheet } from './sheet.ts';
import { wrap } from './wrap.ts';

const SIZE = 9;
const LINE_HEIGHT = 15;

interface Context {
  sheet: Sheet;
  labels: Labels;
  figures: Figures;
  document: FinanceDocumentData;
}

interface Row {
  label: string;
  amount: number;
  weight?: 'bold' | 'boxed';
}

/** What the lines come to, at the right, and the tax per rate beside it; both on one page. */
export function drawTotals(context: Context): void {
  const { sheet, document } = context;
  const rows = rowsOf(context);
  const height = Math.max(rows.length + 1, document.tax_summary.length + 2) * LINE_HEIGHT + 24;
  sheet.y -= 10;
  // Hundreds of tax rates fill pages of their own.
  sheet.need(Math.min(height, 400));
  const top = sheet.y;
  drawRows(context, rows);
  const totalsEnd = sheet.y;
  sheet.y = top;
  const stayed = drawTaxSummary(context);
  sheet.y = (stayed ? Math.min(sheet.y, totalsEnd) : sheet.y) - 14;
}

function rowsOf({ labels, document }: Context): Row[] {
  const { subtotal, discount_total, tax_total, total, amount_paid, amount_credited } = document;
  return [
    ...(discount_total > 0
      ? [
          { label: labels.beforeDiscount, amount: subtotal + discount_total },
          { label: labels.discount, amount: -discount_total },
        ]
      : []),
    { label: labels.subtotal, amount: subtotal },
    { label: labels.tax, amount: tax_total },
    { label: labels.total, amount: total, weight: 'bold' as const },
    ...(amount_paid > 0 ? [{ label: labels.paid, amount: -amount_paid }] : []),
    ...(amount_credited > 0 ? [{ label: labels.credited, amount: -amount_credited }] : []),
    ...standingOf(labels, document),
  ];
}

/** What is still to move, and which way. */
function standingOf(labels: Labels, document: FinanceDocumentData): Row[] {
  const { document_type: type, amount_paid, amount_due, amount_to_refund } = document;
  const due = { label: labels.amountDue, amount: amount_due };
  if (amount_to_refund > 0) return [due, { label: labels.toRefund, amount: amount_to_refund, weight: 'boxed' }];
  return type === 'invoice' || type === 'bill' || amount_paid > 0 ? [{ ...due, weight: 'boxed' }] : [];
}

function drawRows({ sheet, figures }: Context, rows: readonly Row[]): void {
  const { regular, bold } = sheet.faces;
  const left = sheet.left + sheet.width * 0.55;
  for (const { label, amount, weight } of rows) {
    const face = weight === undefined ? regular : bold;
    const size = weight === 'boxed' ? 11 : SIZE;
    if (weight === 'boxed') {
      sheet.y -= 3;
      sheet.box(left - 6, sheet.y, sheet.right - left + 6, 22, SHADE);
      sheet.y -= 4;
    }
    const colour = weight === undefined ? { colour: SOFT_INK } : {};
    sheet.text(face.printable(label), left, sheet.y, { face, size, ...colour });
    sheet.text(face.printable(figures.money(amount)), sheet.right - 4, sheet.y, { face, size, align: 'right' });
    sheet.y -= weight === 'boxed' ? LINE_HEIGHT + 5 : LINE_HEIGHT;
    if (label !== rows.at(-1)?.label && weight === undefined) sheet.rule(sheet.y + 1.5, { from: left });
  }
}

/** Answers whether it ended on the page that it began on. */
function drawTaxSummary({ sheet, labels, figures, document }: Context): boolean {
  if (document.tax_summary.length === 0) return true;
  const { regular, bold } = sheet.faces;
  const columns = [sheet.left + 56, sheet.left + sheet.width * 0.3, sheet.left + sheet.width * 0.47] as const;
  const row = (texts: readonly string[], face = regular): void => {
    for (const [index, text] of texts.entries()) {
      const style = { face, size: SIZE - 1, colour: SOFT_INK, align: 'right' as const };
      sheet.text(face.printable(text), columns[index] ?? sheet.left, sheet.y, style);
    }
    sheet.y -= LINE_HEIGHT - 2;
  };
  row([labels.taxRate, labels.net, labels.tax], bold);
  let stayed = true;
  for (const { tax_rate, net_amount, tax_amount } of document.tax_summary) {
    if (sheet.need(LINE_HEIGHT)) stayed = false;
    row([figures.percent(tax_rate), figures.amount(net_amount), figures.amount(tax_amount)]);
  }
  return stayed;
}

/** A heading and its text, going on over pages as they need. */
export function drawProse(sheet: Sheet, heading: string, text: string | null): void {
  if (text === null || text.trim() === '') return;
  const { regular, bold } = sheet.faces;
  const height = 11;
  sheet.need(4 * height);
  sheet.text(bold.printable(heading), sheet.left, sheet.y, { face: bold, size: 8.5 });
  sheet.y -= height + 2;
  for (const line of wrap(text, regular, 8.5, sheet.width)) {
    sheet.need(height);
    sheet.text(line, sheet.left, sheet.y, { size: 8.5, colour: SOFT_INK });
    sheet.y -= height;
  }
  sheet.y -= 10;
}
