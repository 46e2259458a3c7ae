import { PDFDocument } from 'pdf-lib';
import type { DocumentType, FinanceDocumentData } from '../../contracts/finance.ts';
import type { Seller } from '../seller.ts';
import { figuresFor } from './figures.ts';
import { embedFaces } from './fonts.ts';
import { drawContinuation, drawHead, taxNumberOf } from './head.ts';
import { labelsFor } from './labels.ts';
import type { Labels } from './labels.ts';
import { drawLines } from './line-table.ts';
import { Sheet } from './sheet.ts';
import { drawProse, drawTotals } from './totals.ts';
import { fit } from './wrap.ts';

/** What the other side pays into our account for. */
const ASKS_FOR_MONEY: ReadonlySet<DocumentType> = new Set(['quote', 'invoice']);

/** The document as a PDF. The same document and locale give the same bytes: nothing in it is of today. */
export async function financeDocumentPdf(
  document: FinanceDocumentData,
  seller: Seller,
  locale: string,
): Promise<Uint8Array> {
  const pdf = await PDFDocument.create({ updateMetadata: false });
  const faces = await embedFaces(pdf);
  const labels = labelsFor(locale);
  const figures = figuresFor(locale, document.currency, (text) => faces.bold.printable(text) === text);
  const watermark = watermarkOf(document.status, labels);
  const sheet = new Sheet(pdf, faces, {
    country: seller.country,
    ...(watermark === undefined ? {} : { watermark }),
  });
  const { currency, document_type: type, lines } = document;
  const words = titleOf(document, seller, labels);
  const head = { sheet, labels, figures, document, seller, title: words };
  sheet.onNewPage = () => drawContinuation(head);
  drawHead(head);
  await drawLines({ sheet, labels, figures, currency, type, lines });
  if (type !== 'delivery_note') drawTotals({ sheet, labels, figures, document });
  else sheet.y -= 16;
  if (ASKS_FOR_MONEY.has(type)) drawProse(sheet, labels.bankDetails, seller.bank_details ?? null);
  drawProse(sheet, labels.notes, document.notes);
  drawProse(sheet, labels.terms, document.terms);
  const title = `${words} ${document.document_number ?? labels.draft}`;
  sheet.footers(
    fit(
      [title, seller.legal_name ?? seller.name, taxNumberOf(seller, labels)].filter(Boolean).join(' · '),
      faces.regular,
      7.5,
      sheet.width * 0.75,
    ),
    labels.page,
  );
  describe(pdf, { title, document, seller, locale });
  return pdf.save();
}

/** Many countries want an invoice with tax to say that it is one; without the seller's tax number it mustn't. */
function titleOf({ document_type: type, tax_total }: FinanceDocumentData, seller: Seller, labels: Labels): string {
  const isTaxed = type === 'invoice' && tax_total !== 0 && typeof seller.tax_number === 'string';
  return isTaxed ? labels.taxInvoice : labels.title[type];
}

function watermarkOf(
  status: FinanceDocumentData['status'],
  labels: { draft: string; cancelled: string },
): string | undefined {
  if (status === 'draft') return labels.draft;
  return status === 'cancelled' ? labels.cancelled : undefined;
}

function describe(
  pdf: PDFDocument,
  about: { title: string; document: FinanceDocumentData; seller: Seller; locale: string },
): void {
  const { title, document, seller, locale } = about;
  const at = new Date(document.issued_at ?? document.updated_at);
  pdf.setTitle(title, { showInWindowTitleBar: true });
  pdf.setAuthor(seller.legal_name ?? seller.name);
  pdf.setLanguage(locale);
  pdf.setProducer('Business Platform');
  pdf.setCreator('Business Platform');
  pdf.setCreationDate(at);
  pdf.setModificationDate(at);
}
