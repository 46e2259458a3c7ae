import { PDFDocument } from 'pdf-lib';
import type { FinanceDocumentData } from '../../contracts/finance.ts';
import { figuresFor } from './figures.ts';
import { embedFaces } from './fonts.ts';
import { drawContinuation, drawHead } from './head.ts';
import { labelsFor } from './labels.ts';
import { drawLines } from './line-table.ts';
import { Sheet } from './sheet.ts';
import { drawProse, drawTotals } from './totals.ts';
import { fit } from './wrap.ts';

export interface PdfIssuer {
  name: string;
  /** ISO 3166; gives the paper size. */
  country: string;
}

/** The document as a PDF. The same document and locale give the same bytes: nothing in it is of today. */
export async function financeDocumentPdf(
  document: FinanceDocumentData,
  issuer: PdfIssuer,
  locale: string,
): Promise<Uint8Array> {
  const pdf = await PDFDocument.create({ updateMetadata: false });
  const faces = await embedFaces(pdf);
  const labels = labelsFor(locale);
  const figures = figuresFor(locale, document.currency, (text) => faces.bold.printable(text) === text);
  const watermark = watermarkOf(document.status, labels);
  const sheet = new Sheet(pdf, faces, {
    country: issuer.country,
    ...(watermark === undefined ? {} : { watermark }),
  });
  const head = { sheet, labels, figures, document, issuer: issuer.name };
  sheet.onNewPage = () => drawContinuation(head);
  drawHead(head);
  const { currency, document_type: type, lines } = document;
  await drawLines({ sheet, labels, figures, currency, type, lines });
  if (type !== 'delivery_note') drawTotals({ sheet, labels, figures, document });
  else sheet.y -= 16;
  drawProse(sheet, labels.notes, document.notes);
  drawProse(sheet, labels.terms, document.terms);
  const title = `${labels.title[type]} ${document.document_number ?? labels.draft}`;
  sheet.footers(fit(`${title} · ${issuer.name}`, faces.regular, 7.5, sheet.width * 0.75), labels.page);
  describe(pdf, { title, document, issuer, locale });
  return pdf.save();
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
  about: { title: string; document: FinanceDocumentData; issuer: PdfIssuer; locale: string },
): void {
  const { title, document, issuer, locale } = about;
  const at = new Date(document.issued_at ?? document.updated_at);
  pdf.setTitle(title, { showInWindowTitleBar: true });
  pdf.setAuthor(issuer.name);
  pdf.setLanguage(locale);
  pdf.setProducer('Business Platform');
  pdf.setCreator('Business Platform');
  pdf.setCreationDate(at);
  pdf.setModificationDate(at);
}
